"""Special values: right, in every lane, and without effect on their neighbours."""

import numpy as np
import pytest
import reference
from helpers import CASES, assert_same_bits, ordinary_values, scalar_answers, special_values

INF, NAN = np.inf, np.nan
VALUE = [(INF, INF), (-INF, -0.0), (0.0, 0.0), (-0.0, -0.0), (NAN, NAN)]
DERIVATIVE = [(INF, 1.0), (-INF, -0.0), (0.0, 0.5), (-0.0, 0.5), (NAN, NAN)]


def test_limits(case, level):
    x, want = np.array(DERIVATIVE if case.is_derivative else VALUE, case.dtype).T
    assert_same_bits(case.ufunc(x), want, case)


def test_largest_finite(case, level):
    largest = np.finfo(case.dtype).max
    x = np.array([largest, -largest], case.dtype)
    want = np.array([1 if case.is_derivative else largest, -0.0], case.dtype)
    assert_same_bits(case.ufunc(x), want, case)


def test_subnormal_input_is_not_flushed(case, level):
    """Twice the smallest: half of it is exact; a flushed input would give 0."""
    smallest = np.finfo(case.dtype).smallest_subnormal
    x = np.array([2 * smallest, -2 * smallest], case.dtype)
    want = np.array([0.5, 0.5] if case.is_derivative else [smallest, -smallest], case.dtype)
    assert_same_bits(case.ufunc(x), want, case)


def test_subnormal_results_are_not_flushed(case, level):
    smallest_normal = np.finfo(case.dtype).smallest_normal
    inside = np.linspace(*reference.underflow_edges(case.name, case.dtype), 100)[1:-1]
    result = case.ufunc(inside.astype(case.dtype))
    assert ((result < 0) & (result > -smallest_normal)).all()


def test_huge_is_itself(case, level):
    """f(x) == x exactly and f' == 1, however large x is; on the left all is -0.0."""
    info = np.finfo(case.dtype)
    x = np.ldexp(np.linspace(1, 1.99, 34), np.arange(6, info.maxexp)[:, None]).astype(case.dtype)
    assert_same_bits(case.ufunc(x), np.ones_like(x) if case.is_derivative else x, case)
    assert_same_bits(case.ufunc(-x), np.full_like(x, -0.0), case)


def test_negative_tail_is_negative_and_monotone(case, level):
    """The grid is so wide that no error within the bounds could reverse the order."""
    x = np.arange(-45 * 1024, -3 * 1024).astype(case.dtype) / 1024
    result = case.ufunc(x)
    assert np.signbit(result).all()
    falls = np.diff(result) <= 0
    assert falls.all(), f"rises after x = {x[:-1][~falls][0]!r}"


@pytest.mark.parametrize("case", [case for case in CASES if case.is_derivative], ids=str)
def test_derivative_sign_and_overshoot(case, level):
    """Negative left of the zero, positive right of it, above 1 beyond 3: not clamped."""
    zero = float(reference.derivative_zero(case.name))
    assert (case.ufunc(np.linspace(-5, zero - 1e-3, 1000, dtype=case.dtype)) < 0).all()
    assert (case.ufunc(np.linspace(zero + 1e-3, 1, 1000, dtype=case.dtype)) > 0).all()
    assert (case.ufunc(np.linspace(1.5, 3.25, 1000, dtype=case.dtype)) > 1).all()


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
