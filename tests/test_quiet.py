"""No call warns or raises, whatever the numbers; nothing in the process is changed.

(The kernels' own flags are tested in C: behind the guard in the loops they are invisible here.)"""

import ctypes
import ctypes.util
import platform
import subprocess
import sys
import warnings

import numpy as np
import pytest
from helpers import ordinary_values, special_values
from reference import finfo


@pytest.fixture(autouse=True)
def strict():
    with np.errstate(all="raise"), warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def everything(dtype):
    """Special values, both tails, all binades: anything that could raise a flag."""
    info = finfo(dtype)
    powers = np.ldexp(dtype.type(1), np.arange(info.minexp - info.nmant, info.maxexp))
    tails = np.linspace(-800, 800, 1601, dtype=dtype)
    line = np.linspace(-45, 15, 6001, dtype=dtype)
    return np.concatenate([special_values(dtype), powers, -powers, tails, line])


def test_each_value_alone(case, level):
    for x in everything(case.dtype):
        case.ufunc(x)


def test_each_value_fills_each_length(case, level):
    """The lanes beside a partial vector are not to be heard."""
    for x in special_values(case.dtype):
        for n in range(131):
            case.ufunc(np.full(n, x))


def test_mixed(case, level):
    x = everything(case.dtype)
    for n in (*range(1, 131), 255, 256, 257, x.size):
        for start in range(0, x.size, max(n, 997)):
            case.ufunc(x[start : start + n])


def test_layouts(case, level):
    x = everything(case.dtype)
    record = np.zeros(x.size, np.dtype([("a", "u1"), ("x", x.dtype)]))
    record["x"] = x
    for view in (x[::-1], x[::3], record["x"], x.astype(x.dtype.newbyteorder())):
        case.ufunc(view)
    out = np.zeros_like(x)
    case.ufunc(x, out, where=np.arange(x.size) % 3 > 0)
    case.ufunc(x, x)


@pytest.mark.parametrize(
    "source", [bool, np.int8, np.int32, np.int64, np.uint64, np.float16, "f", "d"]
)
@pytest.mark.parametrize("n", [1, 13, 20000])
def test_casts(case, level, source, n):
    """From any dtype into this one's loop, and onward into a wider output."""
    x = np.resize(np.array([0, 1, 3, 20, 100], source), n)
    if np.issubdtype(source, np.floating):
        x = np.resize(np.array([-np.inf, -30, -11, -0.0, 3, np.nan, np.inf], source), n)
    loop = {"signature": (case.dtype, case.dtype), "casting": "unsafe"}
    case.ufunc(x, **loop)
    if np.can_cast(case.dtype, "d"):
        case.ufunc(x, np.zeros(n, "d"), **loop)


def test_at(case, level):
    x = everything(case.dtype)
    case.ufunc.at(x, np.arange(0, x.size, 2))


# ---- nothing is changed


ORDINARY = """
import numpy as np
smallest, quarter, one, eps = 5e-324, 2.0**-1024, 1.0, 2.0**-53
products = [smallest * one, quarter * 4 / 4, *(np.full(32, smallest) * one)]
sums = [one + eps, one + 3 * eps, -one - eps, -one - 3 * eps, *(np.full(32, one) + 3 * eps)]
# As text: under denormals-are-zero a comparison with 5e-324 would hold for 0, too.
result = " ".join(float(x).hex() for x in products + sums)
"""


def ordinary_arithmetic():
    """Subnormals are kept and sums rounded to nearest, by the scalar and the vector unit."""
    one, up = (1.0).hex(), (1 + 2.0**-51).hex()
    minus_one, down = "-" + one, "-" + up
    smallest, quarter = "0x0.0000000000001p-1022", (2.0**-1024).hex()
    return [smallest, quarter, *[smallest] * 32, one, up, minus_one, down, *[up] * 32]


def test_import_leaves_arithmetic_as_it_was():
    code = f"import gelu_ufunc\n{ORDINARY}\nprint(result)"
    out = subprocess.check_output([sys.executable, "-P", "-c", code], text=True)
    assert out.split() == ordinary_arithmetic()


def test_calls_leave_arithmetic_as_it_was(case, level):
    names = {"result": None}
    case.ufunc(everything(case.dtype))
    with np.errstate(all="ignore"):
        exec(ORDINARY, names)
    assert names["result"].split() == ordinary_arithmetic()


def floating_point_environment():
    """(rounding mode, MXCSR without its status flags) by the C library."""
    libm = ctypes.CDLL(ctypes.util.find_library("m"))
    state = (ctypes.c_uint32 * 64)()  # more than any fenv_t
    libm.fegetenv(ctypes.byref(state))
    return libm.fegetround(), state[7] & ~0x3F


def test_control_register(case, level):
    if (platform.machine(), platform.system()) != ("x86_64", "Linux"):
        pytest.skip("knows fenv_t of x86-64 Linux only")
    before = floating_point_environment()
    case.ufunc(everything(case.dtype))
    assert floating_point_environment() == before
    assert before[1] & 0x1F80 == 0x1F80  # the word really is MXCSR: its exception masks are set


@pytest.mark.parametrize("mode", [0x400, 0x800, 0xC00])
def test_callers_rounding_mode_survives(case, level, mode):
    if (platform.machine(), platform.system()) != ("x86_64", "Linux"):
        pytest.skip("knows the rounding modes of x86-64 Linux only")
    libm = ctypes.CDLL(ctypes.util.find_library("m"))
    x = ordinary_values(1000, case.dtype)
    assert libm.fesetround(mode) == 0
    try:
        case.ufunc(x)
        after = libm.fegetround()
    finally:
        libm.fesetround(0)
    assert after == mode
