"""Special values: right, in every lane, and without effect on their neighbours."""

import numpy as np
import pytest
import reference
from helpers import CASES, assert_same_bits, ordinary_values, scalar_answers, special_values
from reference import finfo
from samples import samples_with_exact

INF, NAN = np.inf, np.nan
NAN_AND_ZEROS = [(NAN, NAN), (0.0, 0.0), (-0.0, -0.0)]
AT = {
    "value": [(INF, INF), (-INF, -0.0), *NAN_AND_ZEROS],
    "derivative": [(INF, 1.0), (-INF, -0.0), (NAN, NAN), (0.0, 0.5), (-0.0, 0.5)],
    "odd": [(INF, 1.0), (-INF, -1.0), *NAN_AND_ZEROS],
}


def far_right(case, x):
    """What the function is at huge x."""
    return x if case.kind == "value" else np.ones_like(x)


def far_left(case, x):
    return np.full_like(x, -1.0 if case.kind == "odd" else -0.0)


def between(low, high, dtype, n=1000):
    """Numbers of the format that still lie between the two when they are rounded to it."""
    x = np.linspace(low, high, n).astype(dtype)
    inside = x[(x.astype("d") > low) & (x.astype("d") < high)]
    assert inside.size > n / 2
    return inside


def only(*kinds):
    """Parametrize by the cases of these kinds."""
    return pytest.mark.parametrize("case", [c for c in CASES if c.kind in kinds], ids=str)


def test_limits(case, level):
    x, want = np.array(AT[case.kind], case.dtype).T
    assert_same_bits(case.ufunc(x), want, case)


def test_largest_finite(case, level):
    largest = np.full(1, finfo(case.dtype).max)
    assert_same_bits(case.ufunc(largest), far_right(case, largest), case)
    assert_same_bits(case.ufunc(-largest), far_left(case, largest), case)


def test_subnormal_input_is_not_flushed(case, level):
    """Twice the smallest: half of it, and erf of it to the nearest, is exact; a flushed input would
    give 0."""
    smallest = finfo(case.dtype).smallest_subnormal
    x = np.array([2 * smallest, -2 * smallest], case.dtype)
    want = {"value": (x / 2).astype(x.dtype), "derivative": np.full_like(x, 0.5), "odd": x}[
        case.kind
    ]
    assert_same_bits(case.ufunc(x), want, case)


@only("value", "derivative")
def test_subnormal_results_are_not_flushed(case, level):
    smallest_normal = finfo(case.dtype).smallest_normal
    edges = reference.underflow_edges(case.name, case.dtype)
    result = case.ufunc(between(*edges, case.dtype, 100))
    assert ((result < 0) & (result > -smallest_normal)).all()


def test_huge_is_itself(case, level):
    """f(x) == x exactly and f' == 1, however large x is; on the left all is -0.0. Of erf it is 1
    and -1."""
    info = finfo(case.dtype)
    x = np.ldexp(np.linspace(1, 1.99, 34), np.arange(6, info.maxexp)[:, None]).astype(case.dtype)
    assert_same_bits(case.ufunc(x), far_right(case, x), case)
    dead, _ = reference.underflow_edges(case.name, case.dtype) or (-6.5, None)
    x = x[x > -dead]
    assert_same_bits(case.ufunc(-x), far_left(case, x), case)


def grid(start, stop, dtype):
    """So wide that no error within the bounds could reverse the order of two results."""
    return np.unique(np.arange(start, stop, 2.0**-10).astype(dtype))


def assert_monotone(x, result, direction):
    wrong = np.diff(result) * direction < 0
    assert not wrong.any(), f"turns after x = {x[:-1][wrong][0]!r}"


@only("value", "derivative")
def test_negative_tail_is_negative_and_monotone(case, level):
    x = grid(np.floor(reference.underflow_edges(case.name, case.dtype)[0]) - 10, -3, case.dtype)
    result = case.ufunc(x)
    assert np.signbit(result).all()
    assert_monotone(x, result, -1)


@only("odd")
def test_odd_is_monotone(case, level):
    """Beyond these ends it rises by less than 2 ulp from one number to the next, except in the half
    types."""
    end = {4: 3, 8: 5}.get(case.dtype.itemsize, 7)
    x = grid(-end, end, case.dtype)
    assert_monotone(x, case.ufunc(x), 1)


@only("odd")
def test_odd_bit_for_bit(case, level):
    x, _ = samples_with_exact(case, 1)
    result = case.ufunc(x)
    assert np.array_equal(np.signbit(result), np.signbit(x))
    assert (np.abs(result) <= 1).all()
    assert_same_bits(case.ufunc(-x), -result, case)


@only("derivative")
def test_derivative_sign_and_overshoot(case, level):
    """Negative left of the zero, positive right of it, above 1 beyond 3: not clamped."""
    zero = float(reference.derivative_zero(case.name))
    assert (case.ufunc(between(-5, zero - 1e-3, case.dtype)) < 0).all()
    assert (case.ufunc(between(zero + 1e-3, 1, case.dtype)) > 0).all()
    assert (case.ufunc(between(1.5, 3.25, case.dtype)) > 1).all()


def test_every_position(case, level):
    """Each special value at each position of arrays of 1 to 130 ordinary numbers."""
    ordinary = ordinary_values(130, case.dtype)
    ordinary_results = scalar_answers(case.ufunc, ordinary)
    specials = special_values(case.dtype)
    results = scalar_answers(case.ufunc, specials)
    for n in range(1, 131):
        diagonal = np.arange(n)
        x = np.tile(ordinary[:n], (specials.size, n, 1))
        want = np.tile(ordinary_results[:n], (specials.size, n, 1))
        x[:, diagonal, diagonal] = specials[:, None]
        want[:, diagonal, diagonal] = results[:, None]
        got = np.full_like(x, 7)
        for row, out in zip(x.reshape(-1, n), got.reshape(-1, n), strict=True):
            case.ufunc(row, out)
        assert_same_bits(got, want, f"{case} on {level}, (special, position, index)")
