"""Measures the error of every function on stratified samples of all binades.

python accuracy.py [density] prints the table of worst errors in Markdown."""

import functools
import sys

import numpy as np
import reference
from helpers import CASES, available_levels

from gelu_ufunc import _core


def around(points, dtype, reach=3):
    """The points with their neighbours in the format."""
    points = np.asarray(points, dtype)
    bits = points[points != 0].view(f"i{dtype.itemsize}")
    return (bits[:, None] + np.arange(-reach, reach + 1)).ravel().view(dtype)


def every_binade(dtype, count, rng):
    """Random significands in each binade, subnormal ones included, and its first numbers."""
    info = np.finfo(dtype)
    powers = np.ldexp(dtype.type(1), np.arange(info.minexp - info.nmant, info.maxexp))
    inside = powers * rng.uniform(1, 2, (count, powers.size))
    points = np.concatenate([powers, np.nextafter(powers, dtype.type(0)), inside.ravel()])
    return np.concatenate([points, -points])


def around_derivative_zero(zero, dtype, count, rng):
    distance = 2.0 ** rng.uniform(-60, -1, count) * rng.choice([-1, 1], count)
    return np.concatenate([around([zero], dtype, 64), around(zero + distance, dtype, 0)])


def samples(case, density, rng):
    """Each part dense where one of the usual mistakes shows."""
    dtype = case.dtype
    dead, subnormal = reference.underflow_edges(case.name, dtype)
    parts = [
        every_binade(dtype, max(1, 6000 * density // np.finfo(dtype).maxexp), rng),
        rng.uniform(dead - 1, 10, 15000 * density),
        rng.uniform(-6, 6, 15000 * density),
        rng.uniform(dead, subnormal, 4000 * density),
        around(np.arange(-45 * 32, 12 * 32) / 32, dtype),  # where a table may change its segment
    ]
    zero = reference.derivative_zero(case.name)
    if zero is not None:
        parts.append(around_derivative_zero(float(zero), dtype, 4000 * density, rng))
    x = np.concatenate([part.astype(dtype) for part in parts])
    return np.unique(x[np.isfinite(x)])


@functools.cache
def samples_with_exact(case, density=1):
    """Computed once, compared on every level."""
    x = samples(case, density, np.random.default_rng(12345))
    return x, reference.evaluate(case.name, x)


def worst(case, level, density=1):
    """(ULP error, x)."""
    x, exact = samples_with_exact(case, density)
    error = exact.error(case.ufunc(x))
    return error.max(), float(x[error.argmax()])


def main(density):
    print("| function | dtype | level | worst error, ULP | at x |")
    print("|---|---|---|---|---|")
    before = _core._selected_level()
    for case in CASES:
        for level in available_levels():
            _core._select_isa(level)
            ulp, x = worst(case, level, density)
            print(f"| {case.name} | {case.dtype} | {level} | {ulp:.3f} | {x.hex()} |")
    _core._select_isa(before)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
