"""`gelu-ufunc demo`: the functions over real data, their errors, and their speed."""

import math
import statistics
import time
from collections.abc import Callable
from functools import partial
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

import gelu_ufunc
from gelu_ufunc import simd

_Array = NDArray[Any]
_Function = Callable[..., Any]

_K = math.sqrt(2 / math.pi)
_C3 = 0.044715


def _cdf(x: float) -> float:
    return math.erfc(-x / math.sqrt(2)) / 2


def _gelu(x: float) -> float:
    return x * _cdf(x)


def _gelu_grad(x: float) -> float:
    return _cdf(x) + x * math.exp(-x * x / 2) / math.sqrt(2 * math.pi)


def _sigmoid(v: float) -> float:
    return 1 / (1 + math.exp(-v))


def _tanh_argument(x: float) -> float:
    return 2 * _K * (x + _C3 * x**3)


def _gelu_tanh(x: float) -> float:
    return x * _sigmoid(_tanh_argument(x))


def _gelu_tanh_grad(x: float) -> float:
    v, slope = _tanh_argument(x), 2 * _K * (1 + 3 * _C3 * x * x)
    return _sigmoid(v) * (1 + x * slope * _sigmoid(-v))


def _silu(x: float, k: float = 1) -> float:
    return x * _sigmoid(k * x)


def _silu_grad(x: float, k: float = 1) -> float:
    return _sigmoid(k * x) * (1 + k * x * _sigmoid(-k * x))


# The exact functions: in float64 they stand for the truth beside float32, as far from 0 as these
# data go.
_EXACT: dict[str, Callable[[float], float]] = {
    "gelu": _gelu,
    "gelu_grad": _gelu_grad,
    "gelu_tanh": _gelu_tanh,
    "gelu_tanh_grad": _gelu_tanh_grad,
    "gelu_sigmoid": partial(_silu, k=1.702),
    "gelu_sigmoid_grad": partial(_silu_grad, k=1.702),
    "silu": _silu,
    "silu_grad": _silu_grad,
    "erf": math.erf,
}


def load_sample() -> _Array:
    """Pre-GELU activations of a sentence encoder (MiniLM): float32, 12 tokens of 1536.

    They were rounded to float16, to halve their part of the wheel.
    """
    data = resources.files("gelu_ufunc") / "data" / "minilm_preactivations.npy"
    with data.open("rb") as file:
        return np.asarray(np.load(file).astype(np.float32))


def _points(sample: _Array) -> _Array:
    """Values spread over the data, its tails included."""
    quantiles = [0, 1e-4, 1e-3, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 1]
    return np.quantile(sample, quantiles, method="nearest")


def _errors(got: _Array, x: _Array, exact: Callable[[float], float]) -> _Array:
    """The errors of float32 results in ULP of the exact values."""
    want = np.array([exact(v) for v in x.ravel().tolist()])
    exponent = np.frexp(want)[1]
    ulp = np.ldexp(1.0, np.maximum(exponent - 24, -149))
    return np.asarray(np.abs(got.ravel() - want) / ulp)


def _print_values(sample: _Array) -> None:
    x = _points(sample)
    for name, grad_name in ((name, f"{name}_grad") for name in _EXACT):
        if grad_name not in _EXACT:
            continue
        y, dy = getattr(gelu_ufunc, name)(x), getattr(gelu_ufunc, grad_name)(x)
        errors = _errors(y, x, _EXACT[name]), _errors(dy, x, _EXACT[grad_name])
        print(f"\n{'x':>10} {name:>15} {'error/ULP':>10} {grad_name:>18} {'error/ULP':>10}")
        for a, b, b_error, c, c_error in zip(x, y, errors[0], dy, errors[1], strict=True):
            print(f"{a:10.6f} {b:15.7e} {b_error:10.3f} {c:18.7e} {c_error:10.3f}")


def _print_largest_errors(sample: _Array) -> None:
    print(f"\nlargest error over all {sample.size} values")
    for name, exact in _EXACT.items():
        errors = _errors(getattr(gelu_ufunc, name)(sample), sample, exact)
        worst = int(errors.argmax())
        print(f"{name:<18} {errors[worst]:.3f} ULP at x = {sample.flat[worst]:.7g}")


def _scipy_form() -> dict[str, _Function]:
    """What is written where there is SciPy and no GELU."""
    try:
        from scipy.special import erf
    except ImportError:
        return {}

    def scipy_form(x: _Array, out: _Array) -> None:
        np.multiply(0.5 * x, 1 + erf(x / x.dtype.type(math.sqrt(2))), out=out)

    return {"SciPy: x*(1+erf)/2": scipy_form}


def _nanoseconds(functions: dict[str, _Function], x: _Array, rounds: int = 15) -> dict[str, float]:
    """The median time per element of each, taken in turns so that all see the same machine."""
    out = np.empty_like(x)
    repeats = 10
    times: dict[str, list[float]] = {name: [] for name in functions}
    for _ in range(rounds):
        for name, function in functions.items():
            start = time.perf_counter_ns()
            for _ in range(repeats):
                function(x, out=out)
            times[name].append((time.perf_counter_ns() - start) / repeats / x.size)
    return {name: statistics.median(values) for name, values in times.items()}


def _print_times(sample: _Array) -> None:
    functions: dict[str, _Function] = {"np.tanh": np.tanh, **_scipy_form()}
    functions |= {name: getattr(gelu_ufunc, name) for name in _EXACT}
    columns = [_nanoseconds(functions, sample.astype(t)) for t in (np.float32, np.float64)]
    header = "".join(f"{dtype:>11} {'/ np.tanh':>10}" for dtype in ("float32", "float64"))
    print(f"\n{'ns per element':<18}{header}")
    for name in functions:
        cells = (f"{t[name]:11.2f} {t[name] / t['np.tanh']:10.2f}" for t in columns)
        print(f"{name:<18}{''.join(cells)}")


def run() -> None:
    sample = load_sample()
    print(f"gelu_ufunc {gelu_ufunc.__version__}, NumPy {np.__version__}, SIMD level {simd.level()}")
    print(f"{sample.size} pre-GELU activations of a sentence encoder, {sample.dtype}")
    _print_values(sample)
    _print_largest_errors(sample)
    _print_times(sample)
