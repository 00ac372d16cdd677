"""The ufunc protocol, explored: whatever the arguments, a call does what it does to np.exp (of two
numbers: np.arctan2), and its values are those of calls for one element at a time."""

import dataclasses
import functools

import numpy as np
import pytest
from compositions import ROWS
from helpers import LIMITS, assert_same_bits, ordinary_values, special_values
from memory import layout_room, random_layout

import gelu_ufunc

pytest.importorskip("hypothesis", reason="hypothesis is not installed")
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import basic_indices, mutually_broadcastable_shapes

FLOATS = [np.dtype(char) for char in "efd"]
DTYPES = [np.dtype(char) for char in "?bBhHiIlLqQ"] + 4 * FLOATS
KINDS = ("array", "array", "subclass", "unaligned", "swapped")


def explore(examples):
    """The same examples in every run."""
    return settings(max_examples=examples, derandomize=True, deadline=None, database=None)


# ---- operands


class Array(np.ndarray):
    """A subclass, which ufuncs give back."""


@functools.cache
def stock(dtype):
    ordinary = ordinary_values(200, np.dtype("d"))
    if dtype.kind == "f":
        return np.concatenate([ordinary.astype(dtype), special_values(dtype)])
    return np.abs(ordinary).astype(dtype)


@dataclasses.dataclass(frozen=True)
class Operand:
    """What makes the same array again and again, for calls may write to it."""

    dtype: np.dtype
    shape: tuple
    seed: int
    kind: str

    def make(self):
        rng = np.random.default_rng(self.seed)
        if self.kind == "Python number":
            return rng.choice(stock(self.dtype)).item()
        array = random_layout(rng, self.shape)(
            rng.choice(stock(self.dtype), layout_room(self.shape))
        )
        if self.kind == "subclass":
            return array.view(Array)
        if self.kind == "swapped":
            return array.astype(self.dtype.newbyteorder())
        if self.kind == "unaligned":
            record = np.zeros(self.shape, [("a", "u1"), ("x", self.dtype)])
            record["x"] = array
            return record["x"]
        return array


def operands(shape, dtypes=DTYPES, kinds=KINDS):
    seeds = st.integers(0, 2**32 - 1)
    return st.builds(
        Operand, st.sampled_from(dtypes), st.just(shape), seeds, st.sampled_from(kinds)
    )


def made(call):
    """The call's arguments. What is both input and output is one array."""
    arrays = {operand: operand.make() for operand in (*call.inputs, *call.options.values())
              if isinstance(operand, Operand)}  # fmt: skip
    options = {
        name: arrays[value] if isinstance(value, Operand) else value
        for name, value in call.options.items()
    }
    return [arrays[operand] for operand in call.inputs], options


def functions(nin):
    return st.sampled_from([getattr(gelu_ufunc, name) for name in (LIMITS if nin == 1 else ROWS)])


def some_of(**strategies):
    """Keyword arguments, none of which must be there."""
    return st.fixed_dictionaries({}, optional=strategies)


# ---- what is compared


def peer_of(ufunc):
    return np.exp if ufunc.nin == 1 else np.arctan2


def outcome(function, *args, **kwargs):
    """The result, or the exception's type."""
    with np.errstate(all="ignore"):
        try:
            return function(*args, **kwargs)
        except (TypeError, ValueError, OverflowError) as error:
            return type(error)


def is_error(result):
    return isinstance(result, type)


def form(result):
    array = np.asarray(result)
    return type(result), array.dtype, array.shape, array.strides


def one_by_one(ufunc, *inputs):
    """Of contiguous calls for one element each."""
    arrays = np.broadcast_arrays(*inputs)
    with np.errstate(all="ignore"):
        flat = [ufunc(*numbers) for numbers in zip(*(x.flat for x in arrays), strict=True)]
    return np.array(flat, inputs[0].dtype).reshape(arrays[0].shape)


def converted(array, dtype):
    with np.errstate(all="ignore"):
        return np.asarray(array).astype(dtype)


# ---- calls


@dataclasses.dataclass(frozen=True)
class Call:
    ufunc: np.ufunc
    inputs: tuple
    options: dict

    def loop_dtype(self, inputs):
        """What the peer computes in."""
        if "dtype" in self.options:
            return np.dtype(self.options["dtype"])
        types = [type(x) if type(x) in (int, float) else np.asarray(x).dtype for x in inputs]
        return peer_of(self.ufunc).resolve_dtypes((*types, None), casting="unsafe")[-1]


@st.composite
def calls(draw):
    nin = draw(st.sampled_from([1, 2]))
    least = draw(st.sampled_from([0, 1, 4]))
    shapes = draw(
        mutually_broadcastable_shapes(num_shapes=nin, max_dims=3, min_side=least, max_side=9)
    )
    inputs = [draw(operands(shape)) for shape in shapes.input_shapes]
    if draw(st.integers(0, 5)) == 0:
        inputs[0] = draw(operands((), kinds=["Python number"]))
    larger = draw(st.sampled_from([(), (), (2,), (0,)])) + shapes.result_shape
    options = some_of(
        order=st.sampled_from("KACF"),
        casting=st.sampled_from(["no", "safe", "same_kind", "unsafe"]),
        dtype=st.sampled_from("efd"),
        subok=st.booleans(),
        out=st.one_of(operands(larger), st.sampled_from(inputs)),
        where=operands(shapes.result_shape[draw(st.integers(0, 1)) :], [np.dtype(bool)], ["array"]),
    )
    chosen = draw(options)
    if "where" in chosen:
        chosen.setdefault("out")  # NumPy warns where no output is named
    return Call(draw(functions(nin)), tuple(inputs), chosen)


@explore(700)
@given(calls())
def test_call(call):
    ufunc = call.ufunc
    peer_inputs, peer_options = made(call)
    inputs, options = made(call)
    out = options.get("out")
    copies, before = [np.array(x) for x in inputs], np.array(out)
    loop = call.loop_dtype(inputs)
    theirs = outcome(peer_of(ufunc), *peer_inputs, **peer_options)
    ours = outcome(ufunc, *inputs, **options)
    if is_error(theirs):
        assert ours is theirs
        assert np.array(out).tobytes() == before.tobytes()
        return
    assert form(ours) == form(theirs)
    assert (ours is out) == (theirs is peer_options.get("out"))
    got = np.array(ours)
    if got.dtype.kind != "f":
        return  # what a NaN becomes there is not ours
    written = np.broadcast_to(options.get("where", True), got.shape)
    want = one_by_one(ufunc, *(converted(x, loop) for x in copies))
    want = converted(np.broadcast_to(want, got.shape), got.dtype)
    assert_same_bits(got[written], want[written], call)
    if out is not None:
        assert_same_bits(got[~written], before[~written], call)


# ---- methods


@st.composite
def reductions(draw):
    x = draw(operands(tuple(draw(st.lists(st.integers(0, 6), max_size=3))), FLOATS))
    axes = st.integers(-len(x.shape) - 1, len(x.shape))
    method = draw(st.sampled_from(["reduce", "accumulate"]))
    options = {"axis": axes, "dtype": st.sampled_from("efd")}
    if method == "reduce":
        options["axis"] = st.one_of(axes, st.none(), st.tuples(axes), st.tuples(axes, axes))
        options |= {"keepdims": st.booleans(), "initial": st.floats(-3, 3)}
    return method, Call(draw(functions(2)), (x,), draw(some_of(**options)))


def reduced(ufunc, method, x, axis, initial=None):
    """One after the other along the axis."""
    rows = list(np.moveaxis(x, axis, 0))
    results = [rows.pop(0) if initial is None else np.full(rows[0].shape, initial, x.dtype)]
    for row in rows:
        results.append(one_by_one(ufunc, results[-1], row))
    return results[-1] if method == "reduce" else np.moveaxis(np.array(results), 0, axis)


@explore(400)
@given(reductions())
def test_reduction(reduction):
    method, call = reduction
    ufunc, (x,) = call.ufunc, made(call)[0]
    theirs = outcome(getattr(np.arctan2, method), x, **call.options)
    ours = outcome(getattr(ufunc, method), x, **call.options)
    if is_error(theirs):
        assert ours is theirs
        return
    assert form(ours) == form(theirs)
    axis = call.options.get("axis", 0)
    if x.ndim == 0 or x.size == 0 or (axis is None and x.ndim > 1):
        return  # an element itself, or none at all
    axis = 0 if axis is None else axis[0] if isinstance(axis, tuple) else axis
    wide = converted(x, call.options.get("dtype", x.dtype.newbyteorder("=")))
    want = reduced(ufunc, method, wide, axis, call.options.get("initial"))
    assert_same_bits(np.array(ours), want.reshape(np.shape(ours)), reduction)


@st.composite
def indexed(draw):
    shape = tuple(draw(st.lists(st.integers(1, 6), min_size=1, max_size=2)))
    lists = st.lists(st.integers(-shape[0], shape[0] - 1), max_size=12).map(
        lambda places: np.array(places, int)
    )
    return draw(operands(shape, FLOATS)), draw(st.one_of(lists, basic_indices(shape)))


@explore(200)
@given(indexed(), functions(1), functions(2), st.integers(0, 99))
def test_at(where, one, two, seed):
    """Again at a place that comes again."""
    operand, index = where
    places = np.asarray(np.arange(np.prod(operand.shape)).reshape(operand.shape)[index])
    other = np.array(np.random.default_rng(seed).choice(stock(operand.dtype), places.shape))
    for ufunc, arguments in ((one, ()), (two, (other,))):
        got, want = operand.make(), converted(operand.make(), operand.dtype).ravel()
        with np.errstate(all="ignore"):
            ufunc.at(got, index, *arguments)
            for place, *numbers in zip(places.flat, *(x.flat for x in arguments), strict=True):
                want[place] = ufunc(want[place], *numbers)
        assert_same_bits(np.array(got).ravel(), want, f"{ufunc} {where}")


@explore(200)
@given(calls(), functions(2))
def test_outer(call, ufunc):
    inputs = [converted(x, "d") for x in made(call)[0]]
    first, second = inputs[0], inputs[-1]
    theirs, ours = (outcome(function.outer, first, second) for function in (np.arctan2, ufunc))
    assert form(ours) == form(theirs)
    want = one_by_one(ufunc, first.reshape(first.shape + (1,) * second.ndim), second)
    assert_same_bits(np.asarray(ours), want, f"{ufunc} {call}")
