"""bfloat16, a type that is not NumPy's own but that of ml_dtypes, an optional package."""

import itertools
import json
import pickle
import subprocess
import sys

import numpy as np
import pytest
from helpers import assert_same_bits, ordinary_values, outcome, stock_values

ml_dtypes = pytest.importorskip(
    "ml_dtypes", reason="ml_dtypes is not installed: bfloat16 is not tested"
)
BFLOAT16 = np.dtype(ml_dtypes.bfloat16)


@pytest.fixture
def x():
    return ordinary_values(100, BFLOAT16)


def test_gives_itself(ufunc, x):
    for values in (x, x.reshape(4, 25), x[::-3], x[:0]):
        assert ufunc(values).dtype == BFLOAT16
        assert ufunc(values).shape == values.shape
    assert type(ufunc(x[0])) is ml_dtypes.bfloat16
    assert type(ufunc(np.array(x[0]))) is ml_dtypes.bfloat16
    assert ufunc.resolve_dtypes((BFLOAT16, None)) == (BFLOAT16, BFLOAT16)


@pytest.mark.parametrize("name", ["float8_e4m3fn", "float8_e5m2"])
def test_smaller_floats_become_float32(ufunc, name):
    """np.exp has loops of ml_dtypes for them."""
    x = np.array([-2, 0, 1.5], getattr(ml_dtypes, name))
    assert_same_bits(ufunc(x), ufunc(x.astype("f")), name)


@pytest.mark.parametrize("dtype", ["f", "d"])
def test_computed_in_a_wider_dtype(ufunc, x, dtype):
    """From the exact input, as float16 is too (test_ufunc.py)."""
    want = ufunc(x.astype(dtype))
    out = np.zeros(100, dtype)
    assert_same_bits(ufunc(x, dtype=dtype), want, "dtype=")
    assert_same_bits(ufunc(x, out, dtype=dtype), want, "dtype= and out=")
    assert_same_bits(ufunc(x, signature=(dtype, dtype)), want, "signature=")


def test_cast_to_it(ufunc, x):
    for dtype in ("e", "f", "d", "i1"):
        wide = ordinary_values(100, np.dtype(dtype))
        result = ufunc(wide, signature=(BFLOAT16, BFLOAT16), casting="unsafe")
        assert_same_bits(result, ufunc(wide.astype(BFLOAT16)), f"signature=, {dtype}")


@pytest.mark.parametrize("source", [BFLOAT16, *map(np.dtype, "?bhilefd")], ids=str)
@pytest.mark.parametrize("target", [BFLOAT16, *map(np.dtype, "befd")], ids=str)
def test_casts_like_exp(ufunc, source, target):
    """What works and what does not: ml_dtypes registers np.exp in the same way. But there `out`
    decides for bool and 8 bits, and for all later calls."""
    ones = np.ones(3, source)
    ways = [{"dtype": target}, {"signature": (target, target)}]
    if (target, source.itemsize) != (BFLOAT16, 1):
        ways.append({"out": np.ones(3, target)})
    for casting, options in itertools.product(("no", "safe", "same_kind", "unsafe"), ways):
        got = outcome(ufunc, ones, casting=casting, **options)
        assert got == outcome(np.exp, ones, casting=casting, **options), (casting, options)


@pytest.mark.parametrize("char", "?bBhHiIlLqQ")
def test_no_call_decides_for_later_ones(ufunc, char):
    ones = np.ones(3, char)
    want = outcome(ufunc, ones)
    for casting in ("same_kind", "unsafe"):
        outcome(ufunc, ones, out=np.ones(3, BFLOAT16), casting=casting)
        assert outcome(ufunc, ones) == want
    out = np.ones(3, BFLOAT16)
    assert_same_bits(ufunc(ones, out, casting="unsafe"), ufunc(ones).astype(BFLOAT16), char)


def test_mixes_with_other_types(ufunc, x):
    """Arithmetic around the call promotes as ml_dtypes says."""
    assert (ufunc(x) + np.ones(100, "f")).dtype == np.float32
    assert (ufunc(x) * x).dtype == BFLOAT16


def test_pickled_array(ufunc):
    values = stock_values(BFLOAT16)
    copy = pickle.loads(pickle.dumps(values))
    assert_same_bits(ufunc(copy), ufunc(values), "pickled")


# ---- import

IMPORT = """
import json, sys, warnings
{before}
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    import gelu_ufunc
import numpy as np
{after}
print(json.dumps([[str(w.message) for w in caught], gelu_ufunc.gelu(1.0).hex(), {result}]))
"""


def after_import(before="", after="", result="None"):
    code = IMPORT.format(before=before, after=after, result=result)
    run = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    warned, one, outcome = json.loads(run.stdout)
    assert one == float.hex(0.8413447460685429)
    return warned, outcome


@pytest.mark.parametrize("first", ["", "import ml_dtypes", "import numpy; numpy.exp(1.0)"])
def test_order_of_imports(first):
    """The loops are there whoever comes first, and after calls with other types."""
    after = "import ml_dtypes; x = np.ones(2, ml_dtypes.bfloat16)"
    assert after_import(first, after, "gelu_ufunc.gelu(x).dtype.name") == ([], "bfloat16")


def test_without_ml_dtypes():
    """Nothing is said, and nothing else is different."""
    hide = "sys.modules['ml_dtypes'] = None"
    assert after_import(hide, result="gelu_ufunc.gelu.types") == ([], ["e->e", "f->f", "d->d"])


def test_broken_ml_dtypes(tmp_path):
    (tmp_path / "ml_dtypes.py").write_text("import no_such_module")
    [warned], _ = after_import(f"sys.path.insert(0, {str(tmp_path)!r})")
    assert "bfloat16" in warned
    assert "no_such_module" in warned
