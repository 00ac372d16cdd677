"""The feed-forward block of GPT-2 in NumPy, as many ports have it, and the line that changes it.

Gains: the usual line turns float32 into float64 under NumPy 2, because np.sqrt(2 / np.pi) is an
np.float64, and everything after it runs in float64. `python gpt2_numpy.py` measures both."""

import time

import numpy as np

import gelu_ufunc


def gelu_of_the_ports(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


gelu = gelu_ufunc.gelu_tanh  # the line


def linear(x, w, b):
    return x @ w + b


def feed_forward(x, c_fc, c_proj, gelu=gelu):
    """[sequence, width] to the same."""
    return linear(gelu(linear(x, **c_fc)), **c_proj)


def random_weights(width, seed=0):
    """Of the shapes of one layer."""
    rng = np.random.default_rng(seed)

    def layer(rows, columns):
        w = rng.normal(0, rows**-0.5, (rows, columns)).astype(np.float32)
        return {"w": w, "b": np.zeros(columns, np.float32)}

    return {"c_fc": layer(width, 4 * width), "c_proj": layer(4 * width, width)}


def milliseconds(function, *arguments, **options):
    start = time.perf_counter()
    function(*arguments, **options)
    return (time.perf_counter() - start) * 1e3


def main():
    weights = random_weights(768)
    x = np.random.default_rng(1).normal(0, 1, (128, 768)).astype(np.float32)
    inner = linear(x, **weights["c_fc"])
    for name, function in (("of the ports", gelu_of_the_ports), ("gelu_ufunc", gelu)):
        alone = min(milliseconds(function, inner) for _ in range(5))
        block = min(milliseconds(feed_forward, x, **weights, gelu=function) for _ in range(5))
        dtype = feed_forward(x, **weights, gelu=function).dtype
        print(f"{name:<13} gelu {alone:6.2f} ms, the block {block:6.2f} ms, gives {dtype}")


if __name__ == "__main__":
    main()
