"""The registry's bounds hold on every level: for all numbers of the half types, and on stratified
samples of all binades of the other formats."""

import numpy as np
import pytest
from helpers import CASES, assert_same_bits
from reference import finfo
from samples import POINTS, samples_with_exact


@pytest.fixture
def density(request):
    return request.config.getoption("density")


def test_there_are_enough_points(case, density):
    if case.dtype != np.float64:
        pytest.skip("of the other formats all numbers are tried, here or by c/proof_float32.c")
    assert samples_with_exact(case, density)[0].size >= POINTS * density


def test_bound(case, level, density):
    x, exact = samples_with_exact(case, density)
    got = case.ufunc(x)
    assert got.dtype == case.dtype
    assert np.isfinite(got).all(), f"{case}({x[~np.isfinite(got)][0]!r}) is not finite"
    error, limit = exact.error(got), case.limit(level)
    worst = error.argmax()
    message = (
        f"{case} on {level}, limit {limit} ULP: {(error > limit).sum()} of {x.size} beyond; "
        f"worst at {float(x[worst]).hex()}: got {float(got[worst]).hex()}, "
        f"want {exact.rounded[worst].hex()}, error {error[worst]:.4g} ULP"
    )
    print(message)
    assert error[worst] <= limit, message


@pytest.mark.parametrize("case", [c for c in CASES if c.dtype.itemsize == 2], ids=str)
def test_correctly_rounded(case, level, density):
    """Every number of the half types; on which side of a tie the exact value lies counts too."""
    x, exact = samples_with_exact(case, density)
    assert x.size == (1 << 16) - 2 * (1 << finfo(case.dtype).nmant)  # but infinities and NaN
    assert_same_bits(case.ufunc(x), exact.rounded.astype(case.dtype), case)


def test_zero_results_keep_their_sign(case, level, density):
    """At zero, and what underflows: -0.0 on the left, +0.0 on the right. A derivative has only the
    left ones."""
    x, exact = samples_with_exact(case, density)
    got = case.ufunc(x)
    zero = got == 0
    assert zero.any()
    assert np.array_equal(np.signbit(got[zero]), np.signbit(exact.rounded[zero]))


def test_tiny_is_exact(case, level, density):
    """Around 0 a value is x/2, correctly rounded, and a derivative 1/2: no constant leaks.

    For |x| below eps/64 all but 1/20 ulp of the result is that. A subnormal x/2 may be a tie."""
    if case.kind == "odd":
        pytest.skip("erf(x) is 2x/sqrt(pi) there, which is not exact")
    if case.dtype.itemsize == 2:
        pytest.skip("test_correctly_rounded says more")
    x, _ = samples_with_exact(case, density)
    info = finfo(case.dtype)
    tiny = x[(np.abs(x) < info.eps / 64) & (np.abs(x) >= 2 * info.smallest_normal)]
    assert tiny.size > 100
    want = np.full_like(tiny, 0.5) if case.kind == "derivative" else tiny / 2
    assert_same_bits(case.ufunc(tiny), want, case)
