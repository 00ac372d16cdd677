"""Fixtures made from the registry: a new function or dtype is tested without a line here."""

import pytest
from helpers import CASES, LEVELS, LIMITS, level_state, stock, use_level

import gelu_ufunc


def pytest_addoption(parser):
    parser.addoption(
        "--density", type=int, default=1, help="multiplies the number of accuracy samples"
    )


@pytest.fixture(params=LIMITS)
def ufunc(request):
    return getattr(gelu_ufunc, request.param)


@pytest.fixture(params=CASES, ids=str)
def case(request):
    """A function at one dtype."""
    return request.param


@pytest.fixture(params=LEVELS)
def level(request):
    """Each SIMD level in turn, in this process."""
    state = level_state(request.param)
    if state != "available":
        pytest.skip(f"level {request.param}: {state}")
    with use_level(request.param):
        yield request.param


@pytest.fixture
def stocked(case, level):
    """The case's stock of values with the answers of scalar calls on this level."""
    return stock(case)
