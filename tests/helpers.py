"""What the tests share: cases and levels from the registry, a stock of values, equality of bits."""

import contextlib
import dataclasses
import functools
import importlib
import os
import pathlib
import sys

import numpy as np
import pytest
from reference import finfo

import gelu_ufunc
from gelu_ufunc import _core, _dtypes

EXAMPLES = pathlib.Path(__file__).parents[1] / "examples"
LIMITS = {row["name"]: row["limits"] for row in _core._registry()}
LEVELS = ("baseline", "avx2", "avx512", "neon")
BUILT = {level["name"]: level for level in _core._levels()}


def level_state(level):
    """'available', or why it is not."""
    if level not in BUILT:
        return "not in this build"
    return "available" if BUILT[level]["available"] else "this CPU cannot run it"


def available_levels():
    return [level for level in LEVELS if level_state(level) == "available"]


@contextlib.contextmanager
def use_level(level):
    """Selects a SIMD level, and in the end the one that was selected before."""
    before = _core._selected_level()
    _core._select_level(level)
    try:
        yield
    finally:
        _core._select_level(before)


@dataclasses.dataclass(frozen=True)
class Case:
    """A function at one dtype."""

    name: str
    dtype: np.dtype

    def __str__(self):
        return f"{self.name}-{self.dtype.name}"

    @property
    def ufunc(self):
        return getattr(gelu_ufunc, self.name)

    @property
    def kind(self):
        """What its special values, its tails and its neighbourhood of 0 are like."""
        if self.name == "erf":
            return "odd"
        return "derivative" if self.name.endswith("_grad") else "value"

    @property
    def limits(self):
        """By dtype."""
        return LIMITS[self.name]

    def limit(self, level):
        """The largest error in ULP that the registry promises."""
        which = "ulp" if BUILT[level]["has_fma"] else "ulp_no_fma"
        return self.limits[self.dtype.name][which]


# Without ml_dtypes there is no bfloat16: test_bfloat16.py is skipped, and says so.
DTYPES = {name: dtype for name in LIMITS["gelu"] if (dtype := _dtypes.find(name)) is not None}
CASES = [Case(name, DTYPES[dtype]) for name in LIMITS for dtype in DTYPES]


def special_values(dtype):
    info = finfo(dtype)
    sizes = [0.0, np.inf, np.nan, info.max, info.smallest_subnormal, info.smallest_normal,
             info.smallest_normal * (1 - info.eps)]  # fmt: skip
    return np.array([sign * dtype.type(size) for size in sizes for sign in (1, -1)], dtype)


def ordinary_values(n, dtype, seed=1):
    """Mostly the ordinary, some of both tails: vectors of one kind and mixed ones both occur."""
    rng = np.random.default_rng(seed)
    return (rng.standard_normal(n) * rng.choice([0.01, 1, 1, 3, 12], n)).astype(dtype)


@functools.cache
def stock_values(dtype):
    specials = special_values(dtype)
    values = np.concatenate([ordinary_values(1021 - specials.size, dtype), specials])
    return np.random.default_rng(2).permutation(values)


def scalar_answers(ufunc, values):
    return np.array([ufunc(value) for value in values], values.dtype)


@dataclasses.dataclass(frozen=True)
class Stock:
    """Values and their answers; arrays of any shape are drawn from it by index."""

    case: Case
    values: np.ndarray
    answers: np.ndarray

    def fill(self, view, seed=3):
        """Fill a view with values; return the answers in the view's shape."""
        index = np.random.default_rng(seed).integers(self.values.size, size=view.shape)
        view[...] = self.values[index]
        return self.answers[index]


def stock(case):
    values = stock_values(case.dtype)
    return Stock(case, values, scalar_answers(case.ufunc, values))


def outcome(function, *args, **kwargs):
    """What a call gives: the result's dtype, or the class of the error."""
    try:
        with np.errstate(all="ignore"):
            return function(*args, **kwargs).dtype
    except (TypeError, ValueError) as error:
        return type(error)


def bits(array):
    array = np.asarray(array)
    native = np.ascontiguousarray(array, array.dtype.newbyteorder("="))
    return native.view(f"u{native.itemsize}")


def same_bits(got, want):
    """Equal bit for bit; NaNs, whose sign and payload are free, only where NaNs belong."""
    got, want = np.asarray(got), np.asarray(want)
    if got.shape != want.shape or got.dtype.newbyteorder("=") != want.dtype.newbyteorder("="):
        return False
    different = bits(got) != bits(want)
    if not different.any():
        return True
    different = different.reshape(got.shape)
    return bool(np.isnan(got[different]).all() and np.isnan(want[different]).all())


def assert_same_bits(got, want, label):
    if same_bits(got, want):
        return
    got, want = np.asarray(got), np.asarray(want)
    assert (got.shape, got.dtype) == (want.shape, want.dtype), label
    index = tuple(np.argwhere((bits(got) != bits(want)).reshape(got.shape))[0])
    raise AssertionError(f"{label}: at {index} got {got[index]!r}, right {want[index]!r}")


def holds_in_fork(check):
    """Whether `check()` is true in a child made by fork, which ends there even where it raises."""
    child = os.fork()
    if child == 0:
        try:
            os._exit(not check())
        finally:
            os._exit(1)
    return os.waitpid(child, 0)[1] == 0


def load_example(name):
    """The module, imported anew."""
    if not EXAMPLES.exists():
        pytest.skip("examples/ is not beside the tests", allow_module_level=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(EXAMPLES)
        patch.delitem(sys.modules, name, raising=False)
        return importlib.import_module(name)
