"""Every layout of input and output: each element has the bits of the scalar call, no other
memory is read or written. Loops stay inside the tests: thousands of parameters would cost more
than the work; the first failure names its layout."""

import itertools

import numpy as np
import pytest
from helpers import assert_same_bits
from memory import (
    LENGTHS,
    GuardedPages,
    aligned_bytes,
    describe,
    layout_room,
    random_layout,
    random_shape,
)

CANARY = 0xA5  # repeated, an ordinary number of each format


def padded(n):
    """A multiple of 64 elements: whatever their size, rows then begin with a cache line."""
    return -(-n // 64) * 64


def check(stocked, x, want, label, out=None, **options):
    got = stocked.case.ufunc(x, out, **options)
    if out is not None:
        assert got is out, label
    assert_same_bits(got, want, label)


def test_lengths_and_alignments(stocked):
    """All lengths; input and output at every offset from a cache line. The outputs lie in rows, for
    one comparison of all of them."""
    case, dtype = stocked.case, stocked.case.dtype
    offsets = range(64 // dtype.itemsize)
    source = aligned_bytes((max(LENGTHS) + 64) * dtype.itemsize).view(dtype)
    for n in LENGTHS:
        answers = stocked.fill(source[:n], seed=n)
        values = source[:n].copy()
        rows = aligned_bytes(len(offsets) * padded(n + 64) * dtype.itemsize)
        rows[...] = CANARY
        targets = rows.view(dtype).reshape(len(offsets), -1)
        want = targets.copy()
        for o in offsets:
            want[o, o : o + n] = answers
        for i in offsets:
            rows[...] = CANARY
            source[i : i + n] = values
            for o in offsets:
                case.ufunc(source[i : i + n], targets[o, o : o + n])
            assert_same_bits(targets, want, f"{case} n {n} offset {i}, (out's offset, index)")


@pytest.fixture(scope="module")
def guarded():
    try:
        return [GuardedPages(4 * max(LENGTHS) * 8) for _ in range(2)]
    except (AttributeError, TypeError, OSError) as error:
        pytest.skip(f"no guard pages on this system: {error}")


def test_guard_pages(stocked, guarded):
    """Nothing before or behind the input and the output is touched: it would crash."""
    source, target = guarded
    for n, x_end, out_end in itertools.product(LENGTHS, (False, True), (False, True)):
        x, out = (source.array(n, stocked.case.dtype, x_end),
                  target.array(n, stocked.case.dtype, out_end))  # fmt: skip
        want = stocked.fill(x, seed=n)
        target.bytes()[...] = CANARY
        check(stocked, x, want, f"{stocked.case} n {n}", out=out)
        out.view(np.uint8)[...] = CANARY
        assert (target.bytes() == CANARY).all(), f"{stocked.case} n {n} wrote beside out"


def test_guard_pages_strided(stocked, guarded):
    """The same for arrays that are gathered and scattered."""
    source, target = guarded
    dtype = stocked.case.dtype
    steps = (-3, -2, -1, 2, 3)
    for n, step, at_end in itertools.product((1, 2, 15, 16, 17, 130, 513), steps, (False, True)):
        size = (n - 1) * abs(step) + 1
        x = source.array(size, dtype, at_end)[::step]
        out = target.array(size, dtype, at_end)[::step]
        want = stocked.fill(x)
        check(stocked, x, want, f"{stocked.case} n {n} step {step}", out=out)


def test_steps(stocked):
    """Steps of either sign in input and output; what lies between stays as it was."""
    dtype = stocked.case.dtype
    steps = (-5, -3, -2, -1, 1, 2, 3, 5)
    for n, i, o in itertools.product((1, 3, 16, 61, 257, 3001), steps, steps):
        base, target = np.zeros(n * abs(i), dtype), np.full(n * abs(o), 7, dtype)
        x, out = base[::i][:n], target[::o][:n]
        want = stocked.fill(x)
        check(stocked, x, want, f"{stocked.case} n {n} steps {i} {o}", out=out)
        out[...] = 7
        assert (target == 7).all(), f"{stocked.case} n {n} steps {i} {o} wrote between"


@pytest.mark.parametrize(("before", "behind"), [(0, 1), (1, 0), (2, 2), (4, 0), (0, 4), (3, 7)])
def test_packed_records(stocked, before, behind):
    """Strides that are no multiple of the item size, most of them unaligned."""
    record = np.dtype([("a", f"V{before}"), ("x", stocked.case.dtype), ("b", f"V{behind}")])
    source, target = np.zeros(301, record), np.zeros(301, record)
    for step in (1, -1, 2):
        x, out = source["x"][::step], target["x"][::step]
        want = stocked.fill(x)
        check(stocked, x, want, f"{stocked.case} {describe(x)}")
        check(stocked, x, want, f"{stocked.case} {describe(x)}", out=out)


VIEWS = {
    "left half of the last axis": lambda a: a[..., : a.shape[-1] // 2],
    "right half of the last axis": lambda a: a[..., a.shape[-1] // 2 :],
    "transposed": lambda a: a.T,
    "middle axis first": lambda a: a.transpose(1, 0, 2),
    "reversed": lambda a: a[::-1, ::-1, ::-1],
    "one column": lambda a: a[:, :, 3],
    "every other row": lambda a: a[:, ::2],
    "diagonal": lambda a: np.einsum("iij->ij", a[:, :7]),
    "windows": lambda a: np.lib.stride_tricks.sliding_window_view(a, 5, axis=2),
}


@pytest.mark.parametrize("name", VIEWS)
def test_views(stocked, name):
    base = np.zeros((7, 11, 34), stocked.case.dtype)
    answers = stocked.fill(base)
    x, want = VIEWS[name](base), VIEWS[name](answers)
    check(stocked, x, want, f"{stocked.case} {describe(x)}")
    out = np.empty(x.shape, stocked.case.dtype, order="F")
    check(stocked, x, want, f"{stocked.case} {describe(x)}", out=out)


@pytest.mark.parametrize(
    ("narrow", "wide"),
    [((), (500,)), ((1,), (17,)), ((5, 1), (5, 300)), ((1, 300), (5, 300)), ((4, 1, 3), (4, 33, 3)),
     ((40, 40), (3, 40, 40)), ((1, 1, 1), (5, 6, 7))],
)  # fmt: skip
def test_broadcast(stocked, narrow, wide):
    """Stride 0 input: one number for many results."""
    base = np.zeros(narrow, stocked.case.dtype)
    answers = stocked.fill(base)
    x, want = np.broadcast_to(base, wide), np.broadcast_to(answers, wide)
    assert 0 in x.strides
    check(stocked, x, want, f"{stocked.case} {describe(x)}")
    check(stocked, base, want, f"{stocked.case} {describe(x)}", out=np.empty(wide, base.dtype))


def test_no_axis_and_no_element(stocked):
    ufunc, dtype = stocked.case.ufunc, stocked.case.dtype
    for value, answer in zip(stocked.values, stocked.answers, strict=True):
        zero_d = np.array(value)
        assert_same_bits(ufunc(zero_d), answer, f"{stocked.case}({value!r})")
        check(stocked, zero_d, answer, f"{stocked.case}({value!r})", out=np.empty((), dtype))
    for shape in ((0,), (3, 0), (0, 5, 2)):
        assert ufunc(np.empty(shape, dtype)).shape == shape


def test_read_only_input(stocked):
    x = np.zeros(100, stocked.case.dtype)
    want = stocked.fill(x)
    x.flags.writeable = False
    check(stocked, x, want, stocked.case)


@pytest.mark.parametrize("shift", [0, 1, 3])
def test_byte_order_and_unaligned(stocked, shift):
    """Both kinds are buffered by NumPy, in chunks: longer than one chunk, too."""
    for dtype in (stocked.case.dtype, stocked.case.dtype.newbyteorder()):
        for n in (1, 17, 20000):
            raw_x, raw_out = (np.zeros(n * dtype.itemsize + shift, np.uint8) for _ in range(2))
            x, out = raw_x[shift:].view(dtype), raw_out[shift:].view(dtype)
            want = stocked.fill(x)
            check(stocked, x, want, f"{stocked.case} {describe(x)} + {shift}")
            check(stocked, x, want, f"{stocked.case} {describe(x)} + {shift}", out=out)


def test_out_is_input(stocked):
    for n, step in itertools.product(LENGTHS, (1, -1, 2, -3)):
        x = np.zeros(n * abs(step), stocked.case.dtype)[::step]
        want = stocked.fill(x)
        check(stocked, x, want, f"{stocked.case} in place, n {n} step {step}", out=x)


def test_out_overlaps_input(stocked):
    """Out is a shifted or reversed view of the input: as if the input had been copied."""
    for n, i, o in itertools.product((1, 16, 33, 130), (-3, -2, -1, 1, 2, 3), (-2, -1, 1, 2, 3)):
        for shift in (0, 1, 2, 7, 16, 31):
            for x_shift, out_shift in ((0, shift), (shift, 0)):
                base = np.zeros(3 * n + 31, stocked.case.dtype)
                answers = stocked.fill(base)
                x = base[x_shift : x_shift + (n - 1) * abs(i) + 1][::i]
                out = slice(out_shift, out_shift + (n - 1) * abs(o) + 1)
                want = base.copy()
                want[out][::o] = answers[x_shift : x_shift + (n - 1) * abs(i) + 1][::i]
                stocked.case.ufunc(x, base[out][::o])
                label = f"{stocked.case} n {n} steps {i} {o} shifts {x_shift} {out_shift}"
                assert_same_bits(base, want, label)


def test_out_of_another_dtype(stocked):
    """The loop's result, converted: for lengths within and beyond NumPy's buffer."""
    for n in (1, 7, 130, 20000):
        x = np.zeros(n, stocked.case.dtype)
        answers = stocked.fill(x)
        for dtype in (np.float16, np.float32, np.float64, np.longdouble, np.complex64):
            if np.can_cast(stocked.case.dtype, dtype, "same_kind"):
                with np.errstate(all="ignore"):  # float64 to float32 may well overflow
                    want = answers.astype(dtype)
                    got = stocked.case.ufunc(x, np.empty(n, dtype), casting="same_kind")
                assert np.array_equal(got, want, equal_nan=True), f"{stocked.case} into {dtype}"


def test_where(stocked):
    """Runs of every length; what is masked out keeps its value."""
    rng = np.random.default_rng(6)
    for n, share in itertools.product(LENGTHS, (0.0, 0.1, 0.5, 0.9, 1.0)):
        x, out = np.zeros(n, stocked.case.dtype), np.full(n, 7, stocked.case.dtype)
        answers = stocked.fill(x)
        where = rng.random(n) < share
        want = np.where(where, answers, out)
        check(stocked, x, want, f"{stocked.case} where, n {n}", out=out, where=where)


def test_random_layouts(stocked):
    rng = np.random.default_rng(7)
    for trial in range(600):
        shape = random_shape(rng)
        source, target = (np.zeros(layout_room(shape), stocked.case.dtype) for _ in range(2))
        answers = stocked.fill(source, seed=trial)
        layout = random_layout(rng, shape)
        x, want = layout(source), layout(answers)
        # Every other time x and out overlap in some way.
        out = random_layout(rng, shape)((source, target)[trial % 2])
        where = np.ones(shape, bool) if rng.random() < 0.5 else rng.random(shape) < 0.7
        want = np.where(where, want, out)
        label = f"{stocked.case} trial {trial}: {describe(x)} to {describe(out)}"
        check(stocked, x, want, label, out=out, where=where)
