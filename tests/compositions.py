"""The functions of two numbers: cases from the registry, pairs of numbers, exact values."""

import dataclasses
import functools
import math

import numpy as np
import reference
from flint import arb, ctx
from helpers import DTYPES, Case, special_values
from reference import finfo
from samples import every_binade, is_finite

from gelu_ufunc import _core

ROWS = {row["name"]: row for row in _core._compositions()}


@dataclasses.dataclass(frozen=True)
class Composed(Case):
    """A function of two numbers at one dtype."""

    @property
    def composition(self):
        return ROWS[self.name]["composition"]

    @property
    def function(self):
        return ROWS[self.name]["function"]

    @property
    def inner(self):
        """The function it is composed of, at the same dtype."""
        return Case(self.function, self.dtype)

    @property
    def working(self):
        """The dtype that it is computed in."""
        return np.dtype("f") if self.dtype.itemsize == 2 else self.dtype

    @property
    def limits(self):
        return ROWS[self.name]["limits"]


COMPOSED = [Composed(name, dtype) for name in ROWS for dtype in DTYPES.values()]
PRODUCTS = [case for case in COMPOSED if case.composition != "sum"]

# ---- pairs of numbers


def any_size(n, dtype, rng):
    """Half of them of any size that the format has, half of them ordinary."""
    info = finfo(dtype)
    exponents = rng.uniform(info.minexp - info.nmant, info.maxexp, n)
    sizes = np.where(rng.random(n) < 0.5, np.exp2(exponents), rng.standard_normal(n))
    return (sizes * rng.choice([-1, 1], n)).astype(dtype)


def function_inputs(case, n, rng):
    dead, subnormal = reference.underflow_edges(case.function, case.working)
    parts = [
        every_binade(case.dtype, 2, rng),
        rng.uniform(-6, 6, n),
        rng.uniform(dead - 1, 10, n),
        rng.uniform(dead, subnormal, n // 4),
        rng.uniform(-1.5, -0.5, n // 4),  # the derivatives' zeros
    ]
    return np.concatenate([part.astype(case.dtype) for part in parts])


def finite_pairs(case, n=1500):
    """(first, second): f's input of every kind, the other number of any size. Of swish the product
    is of every kind."""
    rng = np.random.default_rng(77)
    x = function_inputs(case, n, rng)
    other = any_size(x.size, case.dtype, rng)
    if case.composition == "gate":
        pair = x, other
    elif case.composition == "swish":
        with np.errstate(all="ignore"):
            pair = other, (x.astype("d") / other.astype("d")).astype(case.dtype)
    else:
        pair = other, x
    keep = is_finite(pair[0]) & is_finite(pair[1])
    return tuple(part[keep] for part in pair)


def mixed_pairs(dtype, n=4099, seed=5):
    """Ordinary numbers of all tails, and every pair of special values among them."""
    specials = special_values(dtype)
    rng = np.random.default_rng(seed)
    pairs = np.stack([part.ravel() for part in np.meshgrid(specials, specials)])
    ordinary = (rng.standard_normal((2, n - pairs.shape[1])) * rng.choice([0.1, 1, 4, 20])).astype(
        dtype
    )
    return rng.permutation(np.concatenate([pairs, ordinary], axis=1), axis=1)


# ---- exact values


def factors(case, a, b):
    """What the exact result is the product of: (f or f' or sigma, the other number)."""
    f = reference.FUNCTIONS[case.function]
    if case.composition == "gradient":
        return f(b), a
    return (f(a), b) if case.composition == "gate" else (reference.sigmoid(a * b), a)


def round_product(product, dtype):
    """(a number of the format near the product, the rest in ulp, the ulp), or None if the ball is
    too wide. It need not be the nearest one, since products may be ties."""
    if product == 0:
        return 0.0, 0.0, float(finfo(dtype).smallest_subnormal)
    if abs(product) >= arb(2) ** int(finfo(dtype).maxexp):
        return math.inf, 0.0, 1.0
    exponent = reference.spacing(product, dtype)
    scaled = product * arb(2) ** -exponent
    if not scaled.rad() < arb(2) ** -reference.OFFSET_BITS:
        return None
    near = (scaled.mid() + 0.5).floor().unique_fmpz()
    return math.ldexp(int(near), exponent), float(scaled - near), math.ldexp(1.0, exponent)


def exact_one(case, a, b):
    info = finfo(case.working)
    precision = 128
    while precision <= reference.MAX_PRECISION:
        ctx.prec = precision
        factor, other = factors(case, arb(a), arb(b))
        result = round_product(factor * other, case.dtype)
        if result is not None:
            is_subnormal = abs(factor) < float(info.smallest_normal)
            unit = float(info.smallest_subnormal) if is_subnormal else 0.0
            return *result, unit * abs(b if case.composition == "gate" else a)
        precision *= 2
    raise ArithmeticError(f"{case}({a!r}, {b!r}) is not decided")


@functools.cache
def pairs_with_exact(case):
    """(first, second, reference.Exact, what 1 ULP of a subnormal factor makes of the product)."""
    first, second = finite_pairs(case)
    saved = ctx.prec
    try:
        rows = [exact_one(case, float(a), float(b)) for a, b in zip(first, second, strict=True)]
    finally:
        ctx.prec = saved
    rounded, offset, ulp, extra = np.array(rows, np.float64).T
    return first, second, reference.Exact(rounded, offset, ulp), extra


def scalar_pairs(ufunc, first, second):
    with np.errstate(all="ignore"):
        return np.array([ufunc(a, b) for a, b in zip(first, second, strict=True)], first.dtype)
