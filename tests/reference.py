"""The exact functions, in ball arithmetic (python-flint's arb): one expression per function.

A ball holds its value with a proven radius, so `evaluate` raises the precision until the rounded
value is certain. Nothing here shares code or formulas with the kernels."""

import dataclasses
import functools
import math

import numpy as np
from flint import arb, ctx

try:
    from ml_dtypes import finfo  # of bfloat16 too
except ModuleNotFoundError:
    from numpy import finfo

# Decimals as published: arb reads them exactly, float literals would not be.
TANH_CUBIC = "0.044715"
SIGMOID_SCALE = "1.702"


def normal_cdf(x):
    # erfc and not 1 + erf: in the negative tail the latter is nothing but cancellation.
    return (-x * arb(2).rsqrt()).erfc() / 2


def normal_pdf(x):
    return (-x * x / 2).exp() * (2 * arb.pi()).rsqrt()


def sigmoid(v):
    # Only exp of a negative number: exp(+huge) is an infinite ball, exp(-huge) a tiny one.
    e = (-abs(v)).exp()
    return 1 / (1 + e) if v > 0 else e / (1 + e)


def tanh_argument(x):
    """2u and its derivative, where gelu_tanh(x) = x(1 + tanh u)/2 = x sigmoid(2u)."""
    k, c = (8 / arb.pi()).sqrt(), arb(TANH_CUBIC)
    return k * (x + c * x**3), k * (1 + 3 * c * x**2)


def gelu(x):
    return x * normal_cdf(x)


def gelu_grad(x):
    return normal_cdf(x) + x * normal_pdf(x)


def gelu_tanh(x):
    return x * sigmoid(tanh_argument(x)[0])


def gelu_tanh_grad(x):
    v, slope = tanh_argument(x)
    return sigmoid(v) + x * slope * sigmoid(v) * sigmoid(-v)


def gelu_sigmoid(x):
    return x * sigmoid(arb(SIGMOID_SCALE) * x)


def gelu_sigmoid_grad(x):
    v = arb(SIGMOID_SCALE) * x
    return sigmoid(v) + v * sigmoid(v) * sigmoid(-v)


def silu(x):
    return x * sigmoid(x)


def silu_grad(x):
    return sigmoid(x) + x * sigmoid(x) * sigmoid(-x)


def erf(x):
    return x.erf()


FUNCTIONS = {
    f.__name__: f
    for f in (gelu, gelu_grad, gelu_tanh, gelu_tanh_grad, gelu_sigmoid, gelu_sigmoid_grad,
              silu, silu_grad, erf)
}  # fmt: skip

# ---- from a ball to a format

MAX_PRECISION = 1 << 14
OFFSET_BITS = 30  # the distance from the rounded to the exact value is known to 2^-30 ulp


@dataclasses.dataclass(frozen=True)
class Exact:
    """Exact results: the nearest number of the format and, in ulp, how far beyond it they lie."""

    rounded: np.ndarray
    offset: np.ndarray
    ulp: np.ndarray

    def error(self, got):
        """|got - exact| in ulp(exact); infinite where got is NaN."""
        with np.errstate(all="ignore"):
            # The difference of neighbours is exact, in float64 too.
            distance = (got.astype(np.float64) - self.rounded) / self.ulp
            return np.nan_to_num(np.abs(distance - self.offset), nan=np.inf)


def spacing(ball, dtype):
    """log2 of the format's ulp at the ball's end nearer to zero."""
    info = finfo(dtype)
    mantissa, exponent = ball.abs_lower().man_exp()
    magnitude = mantissa.bit_length() + exponent if mantissa else -math.inf
    return int(max(magnitude, info.minexp + 1)) - info.nmant - 1


def round_ball(ball, dtype):
    """(rounded, offset, ulp), or None where the ball is too wide to tell."""
    exponent = spacing(ball, dtype)
    scaled = ball * arb(2) ** -exponent
    # An exact tie cannot be: no function here is rational at a rational point other than 0.
    nearest = (scaled + 0.5).floor().unique_fmpz()
    if nearest is None or not scaled.rad() < arb(2) ** -OFFSET_BITS:
        return None
    return math.ldexp(int(nearest), exponent), float(scaled - nearest), math.ldexp(1.0, exponent)


def evaluate_one(function, x, dtype):
    precision = 96
    while precision <= MAX_PRECISION:
        ctx.prec = precision
        result = round_ball(function(arb(x)), dtype)
        if result is not None:
            return result
        precision *= 2
    raise ArithmeticError(f"{function.__name__}({x!r}) is not decided by {MAX_PRECISION} bits")


def evaluate(name, x):
    """The exact results for an array of finite numbers, in the array's own format."""
    function = FUNCTIONS[name]
    saved = ctx.prec
    try:
        rows = [evaluate_one(function, float(value), x.dtype) for value in x.flat]
    finally:
        ctx.prec = saved
    rounded, offset, ulp = np.array(rows, np.float64).reshape(-1, 3).T.reshape(3, *x.shape)
    # Values have the sign of x; what underflows is negative in derivatives too (x far below 0).
    return Exact(np.where(rounded == 0, np.copysign(rounded, x), rounded), offset, ulp)


# ---- where the functions are difficult


@functools.cache
def derivative_zero(name):
    """The only zero of a derivative, as an arb correct to 200 bits; None for values."""
    if not name.endswith("_grad"):
        return None
    saved, ctx.prec = ctx.prec, 256
    try:
        low, high = arb(-2), arb(0)
        while high - low > arb(2) ** -200:
            middle = (low + high) / 2
            low, high = (middle, high) if FUNCTIONS[name](middle) < 0 else (low, middle)
        return low
    finally:
        ctx.prec = saved


@functools.cache
def underflow_edges(name, dtype):
    """(a, b), a < b < 0: results are subnormal between them and -0.0 below a; None for erf."""
    if name == "erf":
        return None  # its tail is -1
    info = finfo(dtype)

    def largest_below(limit):
        low, high = -1000.0, -4.0
        while high - low > 1e-3:
            middle = (low + high) / 2
            small = abs(FUNCTIONS[name](arb(middle))) < arb(limit)
            low, high = (middle, high) if small else (low, middle)
        return low

    smallest = float(info.smallest_subnormal)
    return largest_below(arb(smallest) / 2), largest_below(float(info.smallest_normal))
