"""The registry's bounds hold on stratified samples of all binades, on every level."""

import numpy as np
import pytest
from accuracy import samples_with_exact


@pytest.fixture
def density(request):
    return request.config.getoption("density")


def test_bound(case, level, density):
    x, exact = samples_with_exact(case, density)
    got = case.ufunc(x)
    assert got.dtype == case.dtype
    assert np.isfinite(got).all(), f"{case}({x[~np.isfinite(got)][0]!r}) is not finite"
    error = exact.error(got)
    broken = ~case.within_limit(level, x, exact, got)
    worst = np.where(broken, error, 0).argmax() if broken.any() else error.argmax()
    message = (
        f"{case} on {level}, limits {case.limits(level)}: {broken.sum()} of {x.size} broken, worst "
        f"{error[worst]:.4f} ULP at {float(x[worst]).hex()}: got {float(got[worst]).hex()}, "
        f"want {exact.rounded[worst].hex()}"
    )
    print(message)
    assert not broken.any(), message


def test_zero_results_keep_their_sign(case, level):
    """What underflows is -0.0 on the left, +0.0 on the right."""
    x, exact = samples_with_exact(case)
    got = case.ufunc(x)
    zero = got == 0
    assert zero.any()
    assert np.array_equal(np.signbit(got[zero]), np.signbit(exact.rounded[zero]))


def test_tiny_is_exact(case, level):
    """Around 0 a value is x/2, correctly rounded, and a derivative 1/2: no constant leaks."""
    x, exact = samples_with_exact(case)
    info = np.finfo(case.dtype)
    tiny = (np.abs(x) < info.eps / 8) & (np.abs(x) >= 2 * info.smallest_normal)
    assert tiny.sum() > 100
    assert np.array_equal(case.ufunc(x)[tiny], exact.rounded[tiny])
