"""The functions are ufuncs like np.exp: what differs is only what they compute."""

import warnings

import numpy as np
import pytest
from helpers import CASES, assert_same_bits, ordinary_values, outcome, stock


def values(*shape, dtype="d"):
    return ordinary_values(int(np.prod(shape)), np.dtype(dtype)).reshape(shape)


# ---- what it is


def test_is_a_ufunc(ufunc):
    assert type(ufunc) is np.ufunc
    assert (ufunc.nin, ufunc.nout, ufunc.nargs) == (1, 1, 2)
    assert (ufunc.identity, ufunc.signature) == (None, None)
    assert ufunc.types == ["e->e", "f->f", "d->d"]
    assert ufunc.ntypes == len(ufunc.types)
    assert repr(ufunc) == f"<ufunc '{ufunc.__name__}'>"


def test_lives_in_the_package(ufunc):
    if np.lib.NumpyVersion(np.__version__) < "2.2.0":
        pytest.skip("the module of a ufunc can be set from NumPy 2.2 on")
    assert ufunc.__module__ == "gelu_ufunc"
    assert ufunc.__qualname__ == ufunc.__name__


# ---- types


def like_exp(dtype):
    return np.exp(np.ones(1, dtype)).dtype


@pytest.mark.parametrize("char", "?bBhHiIlLqQefd")
def test_result_dtype(ufunc, char):
    want = like_exp(char)
    for x in (np.ones(3, char), np.ones((), char), np.ones(1, char)[0], np.ones(3, char)[::2]):
        assert ufunc(x).dtype == want
    for order in "<>":
        result = ufunc(np.ones(3, np.dtype(char).newbyteorder(order)))
        assert result.dtype == want
        assert result.dtype.isnative
    assert ufunc.resolve_dtypes((np.dtype(char), None))[1] == want


@pytest.mark.parametrize("x", [1, 1.0, True, [1, 2], [[0.5], [1]], (1.0, 2), [], range(4)])
def test_python_numbers(ufunc, x):
    assert ufunc(x).dtype == like_exp(np.asarray(x).dtype)
    assert ufunc(x).shape == np.shape(x)
    assert_same_bits(ufunc(x), ufunc(np.asarray(x)), repr(x))


def test_scalar_types(ufunc):
    assert type(ufunc(1.0)) is np.float64
    assert type(ufunc(np.float32(1))) is np.float32
    assert type(ufunc(np.float16(1))) is np.float16
    assert type(ufunc(True)) is np.float16
    assert type(ufunc(np.ones((), "f"))) is np.float32
    assert type(ufunc(np.ones((1,), "f"))) is np.ndarray


UNSUPPORTED = [
    np.ones(3, "D"), np.ones(3, "F"), 1j, np.ones(3, "g"), np.longdouble(1), np.ones(3, object),
    None, "text", np.array(["1.0"]), b"1", np.zeros(3, "M8[s]"), np.zeros(3, "m8[s]"),
    np.zeros(3, "V8"), np.zeros(3, [("x", "f4")]),
]  # fmt: skip


@pytest.mark.parametrize("x", UNSUPPORTED, ids=repr)
def test_unsupported_input(ufunc, x):
    with pytest.raises(TypeError):
        ufunc(x)
    for dtype in (np.float64, np.complex128, object):
        out = np.full(np.shape(x), 7, dtype)
        with pytest.raises(TypeError):
            ufunc(x, out)
        assert (out == 7).all()


def test_dtype_and_signature(ufunc):
    x = values(20)
    small = x.astype("f")
    assert_same_bits(ufunc(x, dtype="f", casting="same_kind"), ufunc(small), "dtype=")
    assert_same_bits(ufunc(small, dtype="d"), ufunc(small.astype("d")), "dtype=")
    assert_same_bits(ufunc(small, signature="d->d"), ufunc(small.astype("d")), "signature=")
    half = x.astype("e")
    assert_same_bits(ufunc(x, dtype="e", casting="same_kind"), ufunc(half), "dtype=")
    assert_same_bits(ufunc(half, dtype="f"), ufunc(half.astype("f")), "dtype=")
    assert_same_bits(ufunc(half, np.empty(20, "f"), dtype="f"), ufunc(half.astype("f")), "and out=")
    assert_same_bits(ufunc(half, signature="e->e"), ufunc(half), "signature=")
    for options in ({"dtype": "D"}, {"dtype": "g"}, {"dtype": "i"}, {"signature": "i->i"},
                    {"dtype": "f", "casting": "safe"}, {"casting": "wrong"}):  # fmt: skip
        with pytest.raises((TypeError, ValueError)):
            ufunc(x, **options)


def test_casting_of_the_output(ufunc):
    x, out = values(20), np.full(20, 7, "f")
    with pytest.raises(np.exceptions.UFuncTypeError if hasattr(np.exceptions, "UFuncTypeError")
                       else TypeError):  # fmt: skip
        ufunc(x, out, casting="safe")
    assert (out == 7).all()
    assert_same_bits(ufunc(x, out), ufunc(x).astype("f"), "same_kind is the default")
    integers = np.full(20, 7)
    with pytest.raises(TypeError):
        ufunc(x, integers)
    assert (integers == 7).all()
    assert np.array_equal(ufunc(x, integers, casting="unsafe"), ufunc(x).astype(int))


# ---- arguments


def test_out(ufunc):
    x, out = values(4, 5), np.zeros((4, 5))
    want = ufunc(x)
    for args, kwargs in (((x, out), {}), ((x,), {"out": out}), ((x,), {"out": (out,)})):
        assert ufunc(*args, **kwargs) is out
        assert_same_bits(out, want, "out")
        out[...] = 0
    wide = np.zeros((3, 4, 5))
    assert_same_bits(ufunc(x, wide), np.broadcast_to(want, wide.shape), "broadcast into out")
    assert_same_bits(ufunc(x, out=None), want, "out=None")
    if np.lib.NumpyVersion(np.__version__) >= "2.3.0":
        assert type(ufunc(np.float64(1), out=...)) is np.ndarray


@pytest.mark.parametrize("shape", [(5, 4), (4,), (4, 1), (1, 4, 4), ()])
def test_out_of_wrong_shape(ufunc, shape):
    out = np.full(shape, 7.0)
    with pytest.raises(ValueError, match=r"output|broadcast"):
        ufunc(np.ones((4, 5)), out)
    assert (out == 7).all()


def test_read_only_out(ufunc):
    for out in (np.full(4, 7.0), np.broadcast_to(7.0, 4)):
        out.flags.writeable = False
        with pytest.raises(ValueError, match="read-only"):
            ufunc(np.ones(4), out)
        assert (out == 7).all()


@pytest.mark.parametrize(
    "out", [[0.0] * 4, 1.0, "text", (1, 2), (np.zeros(4), np.zeros(4))], ids=repr
)
def test_out_that_is_no_array(ufunc, out):
    with pytest.raises((TypeError, ValueError)):
        ufunc(np.ones(4), out=out)


def test_wrong_arguments(ufunc):
    one = np.ones(1)
    for args, kwargs in (((), {}), ((1, 2, 3), {}), ((1,), {"axis": 0}), ((), {"x": 1}),
                         ((1,), {"approximate": "tanh"}), ((1, one), {"out": one})):  # fmt: skip
        with pytest.raises(TypeError):
            ufunc(*args, **kwargs)


def test_where_broadcasts(ufunc):
    x, where = values(4, 5), np.array([[True], [False], [True], [False]])
    out = ufunc(x, np.full((4, 5), 7.0), where=where)
    assert_same_bits(out, np.where(where, ufunc(x), 7), "where")
    assert_same_bits(
        ufunc(x, np.full((4, 5), 7.0), where=False), np.full((4, 5), 7.0), "where=False"
    )


@pytest.mark.parametrize("order", "KACF")
def test_order(ufunc, order):
    x = values(3, 4, 5)
    for view in (x, np.asfortranarray(x), x.transpose(1, 0, 2), x[::-1, ::2]):
        result = ufunc(view, order=order)
        assert result.strides == np.exp(view, order=order).strides
        assert_same_bits(result, ufunc(view.copy()), order)


def test_broadcast_shapes(ufunc):
    for shape in ((), (1,), (0,), (2, 0), (1, 1), (3, 1, 2), (1,) * 20):
        assert ufunc(np.ones(shape)).shape == shape


# ---- methods


def test_at(ufunc):
    x = values(10)
    want = x.copy()
    for index in (1, 3, 3, 9):
        want[index] = ufunc(want[index])
    ufunc.at(x, [1, 3, 3, 9])
    assert_same_bits(x, want, "at applies again at a repeated index")
    with pytest.raises(IndexError):
        ufunc.at(x, 10)


@pytest.mark.parametrize("method", ["reduce", "accumulate", "reduceat", "outer"])
def test_binary_methods_fail_like_exp(ufunc, method):
    args = (np.ones(4), [0, 2]) if method == "reduceat" else (np.ones(4),)
    assert outcome(getattr(np.exp, method), *args) in (ValueError, TypeError)
    assert outcome(getattr(ufunc, method), *args) is outcome(getattr(np.exp, method), *args)


# ---- other array types


class Array(np.ndarray):
    """A subclass that records that it was asked."""

    def __array_finalize__(self, obj):
        self.unit = getattr(obj, "unit", None)


def test_subclass(ufunc):
    x = values(10).view(Array)
    x.unit = "m"
    result = ufunc(x)
    assert type(result) is Array
    assert result.unit == "m"
    assert_same_bits(result.view(np.ndarray), ufunc(x.view(np.ndarray)), "subclass")
    assert type(ufunc(x, subok=False)) is np.ndarray


def test_masked_array(ufunc):
    x = np.ma.array(values(6), mask=[0, 1, 0, 0, 1, 0])
    result = ufunc(x)
    assert type(result) is np.ma.MaskedArray
    assert np.array_equal(result.mask, x.mask)
    assert_same_bits(result.compressed(), ufunc(x.compressed()), "masked")


def test_matrix_memmap_record_field(ufunc, tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PendingDeprecationWarning)
        assert type(ufunc(np.matrix([[1.0, 2.0]]))) is np.matrix
    mapped = np.memmap(tmp_path / "x", "f", "w+", shape=(50,))
    mapped[:] = values(50, dtype="f")
    assert_same_bits(ufunc(np.asarray(mapped)), ufunc(np.array(mapped)), "memmap")


def test_array_ufunc_override(ufunc):
    class Duck:
        def __array_ufunc__(self, function, method, *inputs, **kwargs):
            return function, method, len(inputs), sorted(kwargs)

    assert ufunc(Duck()) == (ufunc, "__call__", 1, [])
    assert ufunc(np.ones(3), out=Duck()) == (ufunc, "__call__", 1, ["out"])
    assert ufunc.at(Duck(), [0]) == (ufunc, "at", 2, [])

    class Refuses:
        __array_ufunc__ = None

    with pytest.raises(TypeError):
        ufunc(Refuses())


def test_array_protocols(ufunc):
    class Wrapped:
        def __init__(self, array):
            self.array = array

        def __array__(self, dtype=None, copy=None):
            return self.array

        def __array_wrap__(self, array, context=None, return_scalar=False):
            return Wrapped(array)

    x = values(8)
    result = ufunc(Wrapped(x))
    assert type(result) is Wrapped
    assert_same_bits(result.array, ufunc(x), "__array_wrap__")


# ---- scalar and array calls


@pytest.mark.parametrize("case", CASES, ids=str)
def test_scalars_lists_and_arrays_agree(case, level):
    stocked = stock(case)
    assert_same_bits(case.ufunc(stocked.values), stocked.answers, case)
    if case.dtype == np.float64:
        assert_same_bits(case.ufunc(stocked.values.tolist()), stocked.answers, case)
        python = [case.ufunc(value) for value in stocked.values.tolist()]
        assert_same_bits(np.array(python), stocked.answers, case)
