"""`threaded`: what the plain call gives, bit for bit, whatever the threads do.

The sizes from which on threads are used are lowered here, and the calls that do use them are
counted, so that no test passes by way of the plain call alone."""

import contextlib
import copy
import doctest
import gc
import inspect
import os
import pickle
import subprocess
import sys
import threading
import time
import weakref

import numpy as np
import pytest
from helpers import assert_same_bits, holds_in_fork, ordinary_values, same_bits
from memory import describe, layout_room, random_layout, random_shape

from gelu_ufunc import _threaded, gelu, threaded

SHAPES = [(1000,), (40, 25), (1, 1000), (3, 400), (2, 30, 20), (5, 5, 5, 8), (1000, 1)]


@pytest.fixture(autouse=True)
def runs(monkeypatch):
    """A list that grows with each call that is handed out."""
    monkeypatch.setattr(_threaded, "_PER_THREAD", 64)
    monkeypatch.setattr(_threaded, "_PER_BLOCK", 16)
    handed_out, run = [], _threaded._run

    def spy(ufunc, plan, workers):
        handed_out.append(workers)
        run(ufunc, plan, workers)

    monkeypatch.setattr(_threaded, "_run", spy)
    return handed_out


def values(*shape, dtype="d", seed=1):
    return ordinary_values(int(np.prod(shape)), np.dtype(dtype), seed).reshape(shape)


def inputs(ufunc, *shape, dtype="d"):
    return [values(*shape, dtype=dtype, seed=seed) for seed in range(ufunc.nin)]


def python_ufunc(function, nin=1):
    """A ufunc of a Python function; its loops run with the lock, call by call."""
    return np.frompyfunc(function, nin, 1)


def objects(n=1000):
    return np.arange(n).astype(object)


# ---- the same bits


@pytest.mark.parametrize("workers", [2, 3, 8])
def test_bits(case, workers, runs):
    """Every function and dtype, of any number of inputs: result, out by position and by keyword."""
    ufunc = case.ufunc
    call = threaded(ufunc, workers)
    for count, shape in enumerate(SHAPES, 1):
        x = inputs(ufunc, *shape, dtype=case.dtype)
        want, out = ufunc(*x), np.empty(shape, case.dtype)
        assert_same_bits(call(*x), want, shape)
        assert call(*x, out) is out
        assert_same_bits(out, want, shape)
        for given in (np.empty(shape, case.dtype), x[-1]):  # the latter in place
            assert call(*x, out=given) is given
            assert_same_bits(given, want, shape)
        assert len(runs) == 4 * count


@pytest.mark.parametrize(
    ("left", "right"),
    [((40, 25), (25,)), ((40, 25), (40, 1)), ((40, 25), (1, 25)), ((40, 25), ()), ((40, 25), (1,)),
     ((2, 30, 20), (20,)), ((2, 30, 20), (30, 20)), ((2, 30, 20), (2, 1, 20)),
     ((2, 30, 20), (2, 1, 1)), ((1, 30, 20), (30, 20)), ((2, 30, 20), (1, 1, 20)),
     ((5, 5, 5, 8), (5, 1, 8)), ((1000,), (1,))],
)  # fmt: skip
@pytest.mark.parametrize("dtype", "fd")
def test_broadcast(left, right, dtype, runs):
    x, y = values(*left, dtype=dtype), values(*right, dtype=dtype, seed=2)
    for a, b in ((x, y), (y, x)):
        assert_same_bits(threaded(np.subtract, 2)(a, b), np.subtract(a, b), (left, right))
        out = np.empty_like(x)
        assert_same_bits(threaded(np.subtract, 2)(a, b, out), np.subtract(a, b), (left, right))
    assert len(runs) == 4


@pytest.mark.parametrize("scalar", [2, 2.5, np.float32(2.5), np.float64(2.5), np.int64(2)])
def test_scalars(scalar, runs):
    """Python's take the array's dtype, NumPy's have one of their own."""
    x = values(1000, dtype="f")
    got, want = threaded(np.multiply, 2)(x, scalar), x * scalar
    assert got.dtype == want.dtype
    assert_same_bits(got, want, scalar)
    assert len(runs) == 1


def test_three_inputs(runs):
    ufunc = python_ufunc(lambda a, b, c: (a - b) * c, 3)
    x, y, z = (objects().reshape(40, 25) + n for n in range(3))
    assert np.array_equal(threaded(ufunc, 2)(x, y[0], z), ufunc(x, y[0], z))
    assert len(runs) == 1


@pytest.mark.parametrize("char", "?bhiqefd")
def test_converted_input(char, runs):
    x = np.arange(1000).astype(char)
    for each in (x, x.astype(x.dtype.newbyteorder()), x.reshape(20, 50)):
        got = threaded(gelu, 2)(each)
        assert got.dtype == gelu(each).dtype
        assert_same_bits(got, gelu(each), char)
    unaligned = np.zeros(8001, np.uint8)[1:].view("d")
    unaligned[:] = values(1000)
    assert_same_bits(threaded(gelu, 2)(unaligned), gelu(unaligned), "unaligned")
    assert len(runs) == 4


def test_converted_output(runs):
    x, out = values(1000), np.empty(1000, "f")
    assert_same_bits(threaded(gelu, 2)(x, out), gelu(x).astype("f"), "float64 into float32")
    assert len(runs) == 1


def test_where(runs):
    x = values(40, 25)
    masks = (values(40, 25) > 0, values(40, 1) > 0, values(25) > 0, np.array(False), np.array(True))
    for where in masks:
        out = np.full_like(x, 7)
        assert threaded(gelu, 2)(x, out=out, where=where) is out
        assert_same_bits(out, np.where(where, gelu(x), 7), where.shape)
    assert len(runs) == len(masks)


def test_random_layouts(runs):
    """Handed out or not: inputs of all layouts, some of them overlapping the output."""
    rng = np.random.default_rng(8)
    for trial in range(600):
        shape = (*random_shape(rng)[:2], 40)
        source = values(2 * layout_room(shape))
        target = source if trial % 3 == 0 else np.zeros_like(source)
        contiguous = rng.random() < 0.5
        x, out = (
            base[: np.prod(shape)].reshape(shape) if contiguous else random_layout(rng, shape)(base)
            for base in (source, target)
        )
        y = x[:1] if rng.random() < 0.5 else values(*shape, seed=2)
        label = f"trial {trial}: {describe(x)} to {describe(out)}"
        got, want = threaded(np.subtract, 3)(x, y), np.subtract(x, y)
        assert got.strides == want.strides, label
        assert_same_bits(got, want, label)
        assert threaded(np.subtract, 3)(x, y, out=out) is out
        assert_same_bits(out, want, label)
    assert 200 < len(runs) < 1200


# ---- overlap


@pytest.mark.parametrize("shift", [1, 7, 16, 500])
@pytest.mark.parametrize("forward", [True, False])
def test_shifted_in_place(shift, forward, runs):
    base = values(2000)
    x, out = base[shift:], base[:-shift]
    if forward:
        x, out = out, x
    want = gelu(x.copy())
    assert threaded(gelu, 2)(x, out=out) is out
    assert_same_bits(out, want, shift)
    assert not runs


def test_overlaps_of_other_kinds(runs):
    def halves(base):
        return base.view("f")[:1000]

    base = values(1000)
    want = gelu(halves(base.copy()))
    assert_same_bits(threaded(gelu, 2)(halves(base), out=base), want.astype("d"), "two sizes")

    x = values(40, 25)
    want = x - x[:1]
    assert_same_bits(threaded(np.subtract, 2)(x, x[:1], out=x), want, "a row of the output")
    x = values(40, 25)
    want = x - x[-1]
    assert_same_bits(threaded(np.subtract, 2)(x, x[-1], out=x), want, "a row of the output")

    out = np.ones(1000, bool)
    want = np.logical_not(out, out=out.copy(), where=out[::-1])
    threaded(np.logical_not, 2)(out, out=out, where=out[::-1])
    assert np.array_equal(out, want)
    assert not runs


def test_another_view_of_the_same(runs):
    x = values(1000)
    want = gelu(x)
    assert_same_bits(threaded(gelu, 2)(x[:], out=x), want, "the same memory")
    assert len(runs) == 1


# ---- what the plain call does


class Array(np.ndarray):
    pass


class Duck:
    def __array_ufunc__(self, *args, **kwargs):
        return args, kwargs


X = values(40, 25)
LEFT_TO_THE_PLAIN_CALL = {
    "small": ((values(127),), {}),
    "every other": ((values(2000)[::2],), {}),
    "reversed": ((values(1000)[::-1],), {}),
    "Fortran": ((np.asfortranarray(X),), {}),
    "Fortran out": ((X,), {"out": np.asfortranarray(X)}),
    "broadcast": ((np.broadcast_to(values(25), (40, 25)),), {}),
    "into a larger out": ((X,), {"out": np.empty((2, 40, 25))}),
    "list": ((X.tolist(),), {}),
    "subclass": ((X.view(Array),), {}),
    "subclass as out": ((X,), {"out": np.empty_like(X).view(Array)}),
    "masked": ((np.ma.array(X, mask=X > 0),), {}),
    "dtype": ((X,), {"dtype": "f", "casting": "same_kind"}),
    "signature": ((X.astype("f"),), {"signature": "d->d"}),
    "casting": ((X,), {"out": np.zeros((40, 25), "i"), "casting": "unsafe"}),
    "order": ((X,), {"order": "F"}),
    "subok": ((X,), {"subok": False}),
    "where of a subclass": ((X,), {"out": np.zeros((40, 25)), "where": (X > 0).view(Array)}),
    "where as a list": ((X,), {"out": np.zeros((40, 25)), "where": [True] * 25}),
    "one worker": ((X,), {}),
}


@pytest.mark.parametrize("name", LEFT_TO_THE_PLAIN_CALL)
def test_plain_call(name, runs):
    args, kwargs = LEFT_TO_THE_PLAIN_CALL[name]
    got = threaded(gelu, 1 if name == "one worker" else 2)(*args, **kwargs)
    want = gelu(*args, **copy.deepcopy(kwargs))
    assert not runs
    assert type(got) is type(want)
    assert got.strides == want.strides
    assert got is kwargs.get("out", got)
    if want.dtype.kind == "f":
        assert_same_bits(np.asarray(got), np.asarray(want), name)
    else:
        assert np.array_equal(got, want)


def test_overrides_get_what_was_given(runs):
    """Nothing more: no out=None, no where=True."""
    duck = Duck()
    assert threaded(gelu, 2)(duck) == gelu(duck)
    assert threaded(gelu, 2)(X, duck) == gelu(X, duck)
    assert threaded(gelu, 2)(X, out=duck, casting="no") == gelu(X, out=duck, casting="no")
    assert threaded(np.add, 2)(X, duck) == np.add(X, duck)
    assert not runs


def failure(function, *args, **kwargs):
    with pytest.raises(Exception) as caught:  # noqa: PT011
        function(*args, **kwargs)
    return caught.type, str(caught.value)


@pytest.mark.parametrize(
    ("ufunc", "args", "kwargs"),
    [(gelu, (), {}), (gelu, (X, X, X), {}), (gelu, (X, X), {"out": X}),
     (gelu, (X, X), {"out": None}), (gelu, (X,), {"out": np.zeros((25, 40))}),
     (gelu, (X,), {"out": (X, X)}), (gelu, (X,), {"out": "text"}),
     (gelu, (X.astype("D"),), {}), (gelu, (X.astype("g"),), {}),
     (gelu, (X.astype("D"),), {"out": np.zeros((40, 25))}), (gelu, (X,), {"axis": 0}),
     (gelu, (X,), {"out": np.zeros((40, 25), "i")}),
     (gelu, (X,), {"out": np.zeros((40, 25)), "where": X}),
     (gelu, (X,), {"out": np.zeros((40, 25)), "where": np.ones(7, bool)}),
     (gelu, (X,), {"out": np.broadcast_to(7.0, (40, 25))}),
     (np.add, (X,), {}), (np.add, (X, values(24)), {}), (np.add, (X, "text"), {}),
     (np.add, (X.astype("b"), 1000), {})],
)  # fmt: skip
def test_errors_are_the_plain_ones(ufunc, args, kwargs):
    out = kwargs.get("out")
    before = np.copy(out)
    assert failure(threaded(ufunc, 2), *args, **kwargs) == failure(ufunc, *args, **kwargs)
    assert np.array_equal(np.copy(out), before)


# ---- threads


def test_two_threads_take_part(runs):
    """Each waits for the other; with one alone the barrier would break."""
    barrier, names = threading.Barrier(2), set()

    def meet(value):
        if value in (0, 999):  # in the first block and in the last
            barrier.wait(30)
            names.add(threading.current_thread().name)
        return value

    x = objects()
    assert np.array_equal(threaded(python_ufunc(meet), 2)(x), x)
    assert threading.current_thread().name in names
    assert len(names) == 2
    assert len(runs) == 1


def test_number_of_threads(monkeypatch, runs):
    """No more than asked for, than cores to run on, than the size allows."""

    def pools_after(workers, n=1000):
        monkeypatch.setattr(_threaded, "_pools", {})
        assert_same_bits(threaded(gelu, workers)(values(n)), gelu(values(n)), (workers, n))
        return {size: len(pool._threads) for size, pool in _threaded._pools.items()}

    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {0, 3, 5}, raising=False)
    [(size, threads)] = pools_after(None).items()
    assert size == 2
    assert 1 <= threads <= 2
    assert list(pools_after(5)) == [4]
    assert pools_after(50, 128) == {49: 1}
    assert pools_after(50, 127) == {}
    assert pools_after(1) == {}
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {2})
    assert pools_after(None) == {}
    monkeypatch.delattr(os, "sched_getaffinity")  # as on macOS and Windows
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    assert list(pools_after(None)) == [3]


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no affinity on this system")
def test_affinity(runs):
    before = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(before)})
        threaded(gelu)(values(1000))
    finally:
        os.sched_setaffinity(0, before)
    assert not runs


def test_eight_callers(runs):
    """They share the pool, and each has its own result."""
    work = [(values(5000, seed=seed), gelu(values(5000, seed=seed))) for seed in range(8)]
    call, start, wrong = threaded(gelu, 3), threading.Barrier(8), []

    def run(x, want):
        start.wait()
        wrong.extend(1 for _ in range(50) if not same_bits(call(x), want))

    callers = [threading.Thread(target=run, args=each) for each in work]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert not wrong
    assert len(runs) == 400


def test_call_within_a_call(runs):
    """The pool is busy with those who wait for it: the caller then does its work itself."""

    def inner(value):
        return threaded(gelu, 2)(values(200)).sum() if value % 100 == 0 else 0

    got = threaded(python_ufunc(inner), 2)(objects())
    assert (got[::100] == gelu(values(200)).sum()).all()
    assert len(runs) == 11


# ---- floating-point errors and exceptions


@pytest.mark.parametrize("call", [np.exp, threaded(np.exp, 2)], ids=["plain", "threaded"])
def test_errstate(call, runs):
    """Also of the plain call: that the two agree."""
    x, seen = np.full(1000, 1000.0), []
    with np.errstate(over="ignore"):
        assert (call(x) == np.inf).all()
    with np.errstate(over="warn"), pytest.warns(RuntimeWarning, match="overflow"):
        assert (call(x) == np.inf).all()
    with np.errstate(over="call", call=lambda *error: seen.append(error)):
        call(x)
    assert set(seen) == {("overflow", 2)}
    out = np.zeros(1000)
    with np.errstate(over="raise"), pytest.raises(FloatingPointError, match="overflow"):
        call(x, out)
    assert (out == np.inf).all()
    assert len(runs) == (0 if call is np.exp else 4)


def fails_at(number, error):
    def function(value):
        if value == number:
            raise error
        return value

    return threaded(python_ufunc(function), 2)


@pytest.mark.parametrize("number", [0, 500, 999])
def test_exception(number, runs):
    with pytest.raises(LookupError, match="of the function") as caught:
        fails_at(number, LookupError("of the function"))(objects())
    assert caught.traceback[-1].name == "function"
    assert len(runs) == 1


def test_no_thread_writes_after_an_exception():
    finished = []

    def function(value):
        if value == 0:
            raise LookupError
        if value == 999:
            time.sleep(0.2)
            finished.append(value)
        return value

    with pytest.raises(LookupError):
        threaded(python_ufunc(function), 2)(objects())
    assert finished == [999]


def test_interrupt(runs):
    """Blocks that have begun are finished, the others are not begun."""
    main, entered, seen = threading.current_thread(), threading.Event(), []

    def function(value):
        if threading.current_thread() is main:
            entered.wait(30)
            raise KeyboardInterrupt
        entered.set()
        time.sleep(0.001)
        seen.append(value)
        return value

    with pytest.raises(KeyboardInterrupt):
        threaded(python_ufunc(function), 2)(objects())
    count = len(seen)
    assert 1 <= count < 1000
    time.sleep(0.05)
    assert len(seen) == count


def test_exception_keeps_no_array(runs):
    x = objects()
    alive = weakref.ref(x)
    gc.disable()
    try:
        with contextlib.suppress(LookupError):  # pytest.raises would keep it
            fails_at(500, LookupError)(x)
            pytest.fail("no exception")
        del x
        for _ in range(100):  # a thread of the pool drops its task when it gets around to it
            time.sleep(0.05 * (alive() is not None))
        assert alive() is None
    finally:
        gc.enable()
    assert len(runs) == 1


# ---- processes


# NumPy's BLAS has threads of its own, which newer Pythons warn of.
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_fork_after_use(runs):
    """The child makes threads of its own; those of the parent stay in use."""
    call, x = threaded(gelu, 2), values(1000)
    want = call(x)
    assert holds_in_fork(
        lambda: not _threaded._pools and same_bits(call(x), want) and len(runs) == 2
    )
    assert_same_bits(call(x), want, "parent")


SCRIPT = """
import atexit, threading
import numpy as np
from gelu_ufunc import gelu, threaded

x = np.linspace(-9, 9, 1 << 20)
call = threaded(gelu, 4)
atexit.register(lambda: print(np.array_equal(call(x), gelu(x))))  # when no thread can be made
before = threading.active_count()
print(np.array_equal(call(x), gelu(x)), threading.active_count() > before)
"""


def test_exit():
    """The real sizes; the process ends, and without a complaint."""
    run = subprocess.run(
        [sys.executable, "-P", "-c", SCRIPT], capture_output=True, text=True, timeout=60
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.split() == ["True", "True", "True"]


# ---- the callable itself


def test_copies(runs):
    call = threaded(gelu, 2)
    for each in (copy.copy(call), copy.deepcopy(call), pickle.loads(pickle.dumps(call))):
        assert (each.ufunc, each.workers) == (gelu, 2)
        assert_same_bits(each(X), gelu(X), "copy")
    assert len(runs) == 3


def test_looks_like_the_ufunc():
    call = threaded(gelu, 2)
    assert repr(call) == "threaded(<ufunc 'gelu'>, workers=2)"
    assert call.__name__ == "gelu"
    assert call.__doc__ == gelu.__doc__
    if np.lib.NumpyVersion(np.__version__) >= "2.4.0":
        assert inspect.signature(call) == inspect.signature(gelu)


@pytest.mark.parametrize("workers", [0, -1, np.int64(0)])
def test_too_few_workers(workers):
    with pytest.raises(ValueError, match=f"workers must be at least 1, not {workers}"):
        threaded(gelu, workers)


@pytest.mark.parametrize("workers", [1.5, "2", [2], 2.0], ids=repr)
def test_workers_that_are_no_integer(workers):
    with pytest.raises(TypeError, match=r"workers must be an integer or None, not "):
        threaded(gelu, workers)


def test_integers_as_workers():
    assert threaded(gelu, np.int8(3)).workers == 3


@pytest.mark.parametrize(
    ("ufunc", "error", "message"),
    [(len, TypeError, "must be a numpy.ufunc"), ("gelu", TypeError, "must be a numpy.ufunc"),
     (threaded(gelu), TypeError, "must be a numpy.ufunc"),
     (np.modf, TypeError, "modf has 2"), (np.matmul, ValueError, "signature")],
)  # fmt: skip
def test_bad_ufunc(ufunc, error, message):
    with pytest.raises(error, match=message):
        threaded(ufunc)


def test_docstring(monkeypatch):
    monkeypatch.undo()
    [test] = doctest.DocTestFinder().find(threaded, globs={})
    result = doctest.DocTestRunner().run(test)
    assert result.failed == 0
    assert result.attempted >= 5
    for size in (_threaded._PER_THREAD, 2 * _threaded._PER_THREAD):
        assert f"2**{size.bit_length() - 1}" in threaded.__doc__
