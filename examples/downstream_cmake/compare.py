"""Times the fused layer and the separate calls, in turns."""

import time

import fused_norm
import numpy as np

import gelu_ufunc


def seconds(function):
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


rng = np.random.default_rng(1)
x = rng.normal(0, 3, (4096, 1536)).astype(np.float32)
gain, bias = rng.normal(1, 0.3, (2, 1536)).astype(np.float32)
ways = {
    "separate": lambda: gelu_ufunc.gelu(fused_norm.layer_norm(x, gain, bias)),
    "fused": lambda: fused_norm.layer_norm_gelu(x, gain, bias),
}
assert ways["fused"]().tobytes() == ways["separate"]().tobytes()
rounds = [{name: seconds(way) for name, way in ways.items()} for _ in range(30)]
best = {name: min(r[name] for r in rounds) for name in ways}
for name, time_ in best.items():
    print(f"{name:<9} {time_ * 1e3:6.2f} ms  {time_ / best['separate']:.2f}")
