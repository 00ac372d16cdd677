"""The points at which every function is measured, and its largest error there."""

import csv
import functools
import pathlib

import numpy as np
import reference
from helpers import bits
from reference import finfo

WORST_INPUTS = pathlib.Path(__file__).with_name("data") / "worst_inputs.csv"
POINTS = 100_000  # at least so many of float64, times the density


def known_rows():
    """What worst_inputs.py has found: [{field: value}], the numbers as such."""
    with WORST_INPUTS.open(newline="") as file:
        return [
            row | {"x": float.fromhex(row["x"]), "error": float(row["error"])}
            for row in csv.DictReader(file)
        ]


def known_inputs(case):
    rows = (
        row
        for row in known_rows()
        if (row["function"], row["dtype"]) == (case.name, case.dtype.name)
    )
    return np.array([row["x"] for row in rows], case.dtype)


def around(points, dtype, reach=3):
    """The points with their neighbours in the format."""
    points = np.asarray(points, dtype)
    bits = points[points != 0].view(f"i{dtype.itemsize}")
    return (bits[:, None] + np.arange(-reach, reach + 1)).ravel().view(dtype)


def every_binade(dtype, count, rng):
    """Random significands in each binade, subnormal ones included, and its first numbers."""
    info = finfo(dtype)
    powers = np.ldexp(dtype.type(1), np.arange(info.minexp - info.nmant, info.maxexp))
    inside = powers * rng.uniform(1, 2, (count, powers.size))
    points = np.concatenate([powers, np.nextafter(powers, dtype.type(0)), inside.ravel()])
    return np.concatenate([points, -points])


def around_derivative_zero(zero, dtype, count, rng):
    distance = 2.0 ** rng.uniform(-60, -1, count) * rng.choice([-1, 1], count)
    return np.concatenate([around([zero], dtype, 64), around(zero + distance, dtype, 0)])


def all_halves(dtype):
    return np.arange(1 << 16).astype(np.uint16).view(dtype)


def is_finite(x):
    with np.errstate(invalid="ignore"):  # bfloat16's takes signalling NaNs for numbers
        return np.isfinite(x)


def stratified(case, density, rng):
    """Each part dense where one of the usual mistakes shows."""
    dtype = case.dtype
    # erf has become -1 where these edges are.
    dead, subnormal = reference.underflow_edges(case.name, dtype) or (-6.5, -3.5)
    parts = [
        np.array([0.0, -0.0]),
        every_binade(dtype, max(1, 8192 * density // finfo(dtype).maxexp), rng),
        rng.uniform(dead - 1, 10, 30_000 * density),
        rng.uniform(-6, 6, 28_000 * density),
        rng.uniform(dead, subnormal, 8000 * density),
        around(np.arange(-45 * 32, 12 * 32) / 32, dtype),  # where a table may change its segment
        known_inputs(case),
    ]
    zero = reference.derivative_zero(case.name)
    if zero is not None:
        parts.append(around_derivative_zero(float(zero), dtype, 8000 * density, rng))
    return np.concatenate([part.astype(dtype) for part in parts])


def samples(case, density, rng):
    """Finite numbers, none twice: of the half types all there are."""
    half = case.dtype.itemsize == 2
    x = all_halves(case.dtype) if half else stratified(case, density, rng)
    return np.unique(bits(x[is_finite(x)])).view(case.dtype)


@functools.cache
def samples_with_exact(case, density):
    """Computed once, compared on every level."""
    x = samples(case, density, np.random.default_rng(12345))
    return x, reference.evaluate(case.name, x)


def worst(case, density):
    """(ULP error, x) on the selected level."""
    x, exact = samples_with_exact(case, density)
    error = exact.error(case.ufunc(x))
    return error.max(), float(x[error.argmax()])
