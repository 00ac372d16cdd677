"""The functions of two numbers: errors, special values, warnings, layouts of memory, types."""

import concurrent.futures
import itertools
import json
import pickle

import numpy as np
import pytest
from compositions import (
    COMPOSED,
    PRODUCTS,
    ROWS,
    finite_pairs,
    mixed_pairs,
    pairs_with_exact,
    scalar_pairs,
)
from fixed_inputs import PATH, hash_of
from helpers import BUILT, DTYPES, assert_same_bits, available_levels, outcome, use_level
from memory import LENGTHS, describe, layout_room, random_layout, random_shape
from reference import finfo

import gelu_ufunc


@pytest.fixture(params=ROWS)
def ufunc(request):
    return getattr(gelu_ufunc, request.param)


@pytest.fixture(params=COMPOSED, ids=str)
def case(request):
    return request.param


def only(*compositions):
    cases = [case for case in COMPOSED if case.composition in compositions]
    return pytest.mark.parametrize("case", cases, ids=str)


def silent(function, *args, **kwargs):
    with np.errstate(all="ignore"):
        return function(*args, **kwargs)


# ---- errors


@pytest.mark.parametrize("case", PRODUCTS, ids=str)
def test_bound(case, level):
    """While the factor is normal within the limit, below that 1 ULP of the factor is added."""
    first, second, exact, extra = pairs_with_exact(case)
    got = silent(case.ufunc, first, second)
    assert got.dtype == case.dtype
    largest = float(finfo(case.dtype).max)
    finite = np.abs(exact.rounded) <= largest
    # What is within half an ulp of infinity may have become it.
    assert np.isinf(got[~finite & (np.abs(exact.rounded) > 1.01 * largest)]).all()
    assert (np.isfinite(got) | (np.abs(exact.rounded) > 0.99 * largest)).all()
    finite &= np.isfinite(got)
    error = np.where(finite, exact.error(np.where(finite, got, 0).astype(case.dtype)), 0)
    allowed = case.limit(level) + extra / exact.ulp
    worst = (error - allowed).argmax()
    message = (
        f"{case} on {level}: {(error > allowed).sum()} of {error.size} beyond; at "
        f"({first[worst]!r}, {second[worst]!r}) got {got[worst]!r}, want {exact.rounded[worst]!r}, "
        f"error {error[worst]:.4g} ULP, allowed {allowed[worst]:.4g}"
    )
    normal = finite & (extra == 0)
    print(f"{case} on {level}: {error[normal].max():.4f} ULP over {normal.sum()} pairs")
    assert normal.sum() > 1000
    assert (error <= allowed).all(), message


@only("sum")
def test_sum_is_rounded_once(case, level):
    """The bits of the function at NumPy's sum."""
    for first, second in (finite_pairs(case), mixed_pairs(case.dtype)):
        total = silent(np.add, first, second)
        assert total.dtype == case.dtype
        got = silent(case.ufunc, first, second)
        assert_same_bits(got, case.inner.ufunc(total), f"{case} on {level}")


@only("gradient", "gate")
def test_product_is_ieee(case, level):
    """In float32 and float64 the bits of NumPy's product with the function's result."""
    if case.dtype.itemsize == 2:
        pytest.skip("the factor is not rounded to the half type")
    for first, second in (finite_pairs(case), mixed_pairs(case.dtype)):
        x, other = (first, second) if case.composition == "gate" else (second, first)
        want = silent(np.multiply, case.inner.ufunc(x), other)
        assert_same_bits(silent(case.ufunc, first, second), want, f"{case} on {level}")


@only("swish")
def test_swish_becomes_silu(case, level):
    """beta = 1 is silu to the two limits together; 0 gives x/2."""
    x, _ = finite_pairs(case)
    x = np.unique(x[np.abs(x) < 80])
    one, zero = np.ones_like(x), np.zeros_like(x)
    with np.errstate(all="ignore"):
        assert_same_bits(case.ufunc(x, zero), x / case.dtype.type(2), case)
        got, want = case.ufunc(x, one).astype("d"), gelu_ufunc.silu(x).astype("d")
    spacing = np.abs(want) * float(finfo(case.dtype).eps)
    smallest = float(finfo(case.dtype).smallest_subnormal)
    normal = np.abs(want) >= float(finfo(case.dtype).smallest_normal) * 128
    assert (np.abs(got - want) <= 4 * np.maximum(spacing, smallest))[normal].all()


def best_answers(case, *args):
    with use_level(available_levels()[-1]):
        return silent(case.ufunc, *args)


def test_same_bits(case, level):
    if not BUILT[level]["has_fma"]:
        pytest.skip("without fused multiply-add a level has bits of its own")
    assert hash_of(case) == json.loads(PATH.read_text())[str(case)]
    for pair in (finite_pairs(case), mixed_pairs(case.dtype)):
        assert_same_bits(silent(case.ufunc, *pair), best_answers(case, *pair), case)


# ---- special values

INF, NAN = np.inf, np.nan
AT = {
    "gradient": [  # grad_output, x
        (2, INF, 2), (-2, INF, -2), (2, -INF, -0.0), (-2, -INF, 0.0), (2, 0, 1), (2, -0.0, 1),
        (0.0, INF, 0.0), (-0.0, -INF, 0.0), (INF, INF, INF), (INF, -INF, NAN), (INF, 0, INF),
        (NAN, 0, NAN), (2, NAN, NAN), (NAN, -INF, NAN),
    ],
    "gate": [  # gate, up
        (INF, 2, INF), (INF, -2, -INF), (-INF, 2, -0.0), (-INF, -2, 0.0), (0.0, 2, 0.0),
        (-0.0, 2, -0.0), (INF, 0, NAN), (-INF, INF, NAN), (-INF, 0, -0.0), (INF, INF, INF),
        (NAN, 0, NAN), (-INF, NAN, NAN), (0.0, INF, NAN),
    ],
    "sum": [  # x, bias
        (INF, 1, INF), (-INF, 1, -0.0), (INF, -INF, NAN), (0.0, -0.0, 0.0), (-0.0, -0.0, -0.0),
        (1, -INF, -0.0), (2, -2, 0.0), (NAN, 1, NAN), (-INF, NAN, NAN),
    ],
    "swish": [  # x, beta
        (INF, 1, INF), (-INF, 1, -0.0), (INF, -1, 0.0), (-INF, -1, -INF), (INF, 0.0, INF),
        (-INF, -0.0, -INF), (3, 0.0, 1.5), (-3, -0.0, -1.5), (3, INF, 3), (-3, INF, -0.0),
        (3, -INF, 0.0), (-3, -INF, -3), (0.0, INF, 0.0), (-0.0, -INF, -0.0), (0.0, 1, 0.0),
        (-0.0, 1, -0.0), (INF, INF, INF), (-INF, INF, -0.0), (NAN, 0.0, NAN), (0.0, NAN, NAN),
        (INF, NAN, NAN), (NAN, INF, NAN), (20000, 20000, 20000), (-20000, 20000, -0.0),
    ],
}  # fmt: skip


def test_special_values(case, level):
    first, second, want = np.array(AT[case.composition], case.dtype).T
    assert_same_bits(silent(case.ufunc, first, second), want, f"{case} on {level}")


@only("gradient")
def test_infinite_x_never_gives_nan(case, level):
    grad_output = finite_pairs(case)[0]
    for x in (np.inf, -np.inf):
        got = silent(case.ufunc, grad_output, np.full_like(grad_output, x))
        assert_same_bits(got, grad_output if x > 0 else grad_output * case.dtype.type(-0.0), case)


# ---- warnings


def raised(case, first, second):
    """Which floating-point error the call reports, at the first or at any later block."""
    found = set()
    for at, n in ((0, 1), (0, 5000), (4999, 5000), (2000, 5000)):
        a, b = np.ones(n, case.dtype), np.ones(n, case.dtype)
        a[at], b[at] = first, second
        try:
            with np.errstate(all="raise"):
                case.ufunc(a, b)
            found.add(None)
        except FloatingPointError as error:
            found.add(str(error).partition(" ")[0])
    [one] = found
    return one


def test_operation_is_reported(case, level):
    info = finfo(case.dtype)
    small, large = info.smallest_normal * (1 + info.eps), info.max
    underflow = None if case.dtype.itemsize == 2 else "underflow"
    reported = {
        "gradient": [(large, 1.5, "overflow"), (small, 0, underflow), (INF, -INF, "invalid")],
        "gate": [(large, 2, "overflow"), (1, small, underflow), (INF, 0, "invalid")],
        "sum": [(large, large, "overflow"), (INF, -INF, "invalid")],
        "swish": [],
    }
    for first, second, error in reported[case.composition]:
        assert raised(case, first, second) == error, (case, first, second)


def test_function_is_silent(case, level):
    """Its tail underflows, where nobody has to know."""
    other = {"sum": 0, "swish": 2}.get(case.composition, 1)
    for value in (-10, -13, -40, -90, -730, -760, finfo(case.dtype).min, -INF, INF, NAN):
        pair = (other, value) if case.composition == "gradient" else (value, other)
        assert raised(case, *np.array(pair, case.dtype)) is None, (case, pair)


@only("swish")
def test_swish_is_silent(case, level):
    first, second = mixed_pairs(case.dtype)
    pairs = silent(finite_pairs, case)
    with np.errstate(all="raise"):
        case.ufunc(first, second)
        case.ufunc(*pairs)
        for a, b in zip(first[:500], second[:500], strict=True):
            case.ufunc(a, b)


# ---- memory


class Stock:
    """Pairs and the answers of scalar calls; arrays of any layout are filled from it by index."""

    def __init__(self, case):
        self.case = case
        self.pairs = mixed_pairs(case.dtype, 1021)
        self.answers = scalar_pairs(case.ufunc, *self.pairs)

    def fill(self, first, second, seed=3):
        index = np.random.default_rng(seed).integers(self.answers.size, size=first.shape)
        first[...], second[...] = self.pairs[0][index], self.pairs[1][index]
        return self.answers[index]

    def check(self, first, second, want, label, out=None, **options):
        got = silent(self.case.ufunc, first, second, out, **options)
        assert out is None or got is out
        assert_same_bits(got, want, f"{self.case} {label}")


@pytest.fixture
def stocked(case, level):
    return Stock(case)


def test_lengths(stocked):
    for n, shift in itertools.product((*LENGTHS, 1023, 1024, 1025, 2049), (0, 1, 5)):
        arrays = np.zeros((2, n + 8), stocked.case.dtype)
        first, second = (row[shift : shift + n] for row in arrays)
        want = stocked.fill(first, second, n)
        target = np.full(n + 8, 7, stocked.case.dtype)
        stocked.check(first, second, want, f"n {n}", out=target[3 : n + 3])
        assert (target[:3] == 7).all()
        assert (target[n + 3 :] == 7).all()


def test_strides(stocked):
    """Strides of both signs, in all three operands; what lies between stays as it was."""
    dtype, steps = stocked.case.dtype, (-3, -1, 1, 2)
    for n, i, j, o in itertools.product((1, 17, 1500), steps, steps, steps):
        first, second = (np.zeros(n * abs(s), dtype)[::s][:n] for s in (i, j))
        target = np.full(n * abs(o), 7, dtype)
        out = target[::o][:n]
        want = stocked.fill(first, second)
        stocked.check(first, second, want, f"n {n} steps {i} {j} {o}", out=out)
        out[...] = 7
        assert (target == 7).all()


def test_halves_of_the_last_axis(stocked):
    for shape in ((1, 2), (3, 34), (5, 2600), (2, 3, 100)):
        h = np.zeros(shape, stocked.case.dtype)
        d = shape[-1] // 2
        want = stocked.fill(h[..., :d], h[..., d:])
        stocked.check(h[..., :d], h[..., d:], want, f"halves of {shape}")
        stocked.check(h[..., :d], h[..., d:], want, f"into a half of {shape}", out=h[..., :d])


@pytest.mark.parametrize(
    ("narrow", "wide"),
    [
        ((), (3000,)),
        ((1,), (17,)),
        ((300,), (5, 300)),
        ((5, 1), (5, 1100)),
        ((4, 1, 3), (4, 33, 3)),
    ],
)
def test_broadcast(stocked, narrow, wide):
    """Rows, columns and single numbers, as either operand or as both."""
    ufunc, dtype = stocked.case.ufunc, stocked.case.dtype
    small, large = np.zeros(narrow, dtype), np.zeros(wide, dtype)
    stocked.fill(small, small.copy(), 8)
    stocked.fill(large, large.copy(), 9)
    for pair in ((small, large), (large, small)):
        full = [np.ascontiguousarray(part) for part in np.broadcast_arrays(*pair)]
        want = scalar_pairs(ufunc, *(part.ravel() for part in full)).reshape(wide)
        stocked.check(*pair, want, f"{narrow} to {wide}")
        out = np.zeros((*wide, 2), dtype)[..., 0]
        stocked.check(*pair, want, f"{narrow} to {wide}", out=out)
    both = [np.broadcast_to(row[5], 1500) for row in stocked.pairs]
    stocked.check(*both, np.full(1500, stocked.answers[5]), "both of stride 0")


def test_out_is_an_input(stocked):
    for n, step in itertools.product((0, 1, 16, 130, 3000), (1, -1, 2)):
        for which in (0, 1):
            pair = [np.zeros(n * abs(step), stocked.case.dtype)[::step] for _ in range(2)]
            want = stocked.fill(*pair)
            stocked.check(*pair, want, f"in place of {which}, n {n} step {step}", out=pair[which])
    x = stocked.pairs[0].copy()
    want = scalar_pairs(stocked.case.ufunc, x, x)
    stocked.check(x, x, want, "all three are one", out=x)


def test_overlap(stocked):
    """As if the inputs had been copied."""
    n = 1400
    for first_at, second_at, out_at, step in itertools.product((0, 1), (0, 9), (0, 1, 2), (1, -1)):
        base = np.zeros(2 * n, stocked.case.dtype)
        stocked.fill(base, base.copy())
        first, second = base[first_at : first_at + n], base[second_at : second_at + n][::step]
        want = scalar_pairs(stocked.case.ufunc, first.copy(), second.copy())
        label = f"overlap {first_at} {second_at} {out_at} {step}"
        stocked.check(first, second, want, label, out=base[out_at : out_at + n])


def test_where(stocked):
    rng = np.random.default_rng(6)
    for n, share in itertools.product((1, 16, 129, 2500), (0.0, 0.5, 0.9)):
        first, second = np.zeros((2, n), stocked.case.dtype)
        answers, where = stocked.fill(first, second), rng.random(n) < share
        out = np.full(n, 7, stocked.case.dtype)
        want = np.where(where, answers, out)
        stocked.check(first, second, want, f"where, n {n}", out=out, where=where)


def test_random_layouts(stocked):
    rng = np.random.default_rng(7)
    for trial in range(150):
        shape = random_shape(rng)
        bases = [np.zeros(layout_room(shape), stocked.case.dtype) for _ in range(3)]
        first, second = (random_layout(rng, shape)(base) for base in bases[:2])
        want = stocked.fill(first, second, trial)
        # Every other time out overlaps an input in some way.
        out = random_layout(rng, shape)(bases[2 if trial % 2 else trial // 2 % 2])
        label = f"trial {trial}: {describe(first)}, {describe(second)} to {describe(out)}"
        stocked.check(first, second, want, label, out=out)


def test_byte_order_and_unaligned(stocked):
    for dtype in (stocked.case.dtype, stocked.case.dtype.newbyteorder()):
        for n in (1, 17, 20000):
            raw = np.zeros((2, n * dtype.itemsize + 1), np.uint8)
            first, second = (row[1:].view(dtype) for row in raw)
            want = stocked.fill(first, second)
            stocked.check(first, second, want, f"{describe(first)}, unaligned")


def test_reductions(stocked):
    """Each result is the next first input, for which no block can wait."""
    ufunc, dtype = stocked.case.ufunc, stocked.case.dtype
    for n, step in itertools.product((1, 2, 17, 1500), (1, 2, -1)):
        x = np.random.default_rng(n).uniform(0.9, 1.3, n * abs(step)).astype(dtype)[::step]
        want = [x[0]]
        for value in x[1:]:
            want.append(silent(ufunc, want[-1], value))
        want = np.array(want, dtype)
        assert_same_bits(silent(ufunc.accumulate, x), want, f"{stocked.case} accumulate {n}")
        assert_same_bits(silent(ufunc.reduce, x), want[-1], f"{stocked.case} reduce {n}")


def test_at_and_outer(stocked):
    ufunc, (first, second) = stocked.case.ufunc, stocked.pairs[:, :40]
    got = first.copy()
    silent(ufunc.at, got, np.arange(0, 40, 2), second[::2])
    want = first.copy()
    want[::2] = stocked.answers[:40:2]
    assert_same_bits(got, want, f"{stocked.case}.at")
    want = scalar_pairs(ufunc, np.repeat(first, 40), np.tile(second, 40)).reshape(40, 40)
    assert_same_bits(silent(ufunc.outer, first, second), want, f"{stocked.case}.outer")


def test_threads(case):
    first, second = mixed_pairs(case.dtype, 50000)
    want = silent(case.ufunc, first, second)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: silent(case.ufunc, first, second), range(16)))
    for got in results:
        assert_same_bits(got, want, case)


# ---- types


def test_is_a_ufunc(ufunc):
    assert (ufunc.nin, ufunc.nout, ufunc.nargs) == (2, 1, 3)
    assert (ufunc.identity, ufunc.signature) == (None, None)
    assert ufunc.types == ["ee->e", "ff->f", "dd->d"]
    if np.lib.NumpyVersion(np.__version__) >= "2.2.0":
        assert ufunc.__module__ == "gelu_ufunc"
        assert ufunc.__qualname__ == ufunc.__name__
    assert pickle.loads(pickle.dumps(ufunc)) is ufunc


TYPES = [*map(np.dtype, "?bBhHiIlLqQefdFDM"), *DTYPES.values()]


def test_types_like_arctan2(ufunc):
    """Whatever two types meet; no call decides for later ones."""
    for a, b in itertools.product(TYPES, repeat=2):
        arrays = np.ones(3, a), np.ones(3, b)
        want = outcome(np.arctan2, *arrays)
        assert outcome(ufunc, *arrays) == want, (a, b)
        for dtype in DTYPES.values():
            out = np.ones(3, dtype)
            assert outcome(ufunc, *arrays, out) == outcome(np.arctan2, *arrays, out), (a, b, dtype)
        assert outcome(ufunc, *arrays) == want, (a, b)


@pytest.mark.parametrize("x", [np.ones(3, "g"), np.ones(3, "D"), np.ones(3, object), "text", None])
def test_unsupported_input(ufunc, x):
    out = np.full(3, 7.0)
    for pair in ((x, 1.0), (1.0, x)):
        with pytest.raises(TypeError):
            ufunc(*pair)
        with pytest.raises(TypeError):
            ufunc(*pair, out)
    with pytest.raises(ValueError, match="broadcast"):
        ufunc(np.ones(3), np.ones(4), out)
    with pytest.raises(TypeError):
        ufunc(np.ones(3), out=out)
    assert (out == 7).all()


def test_python_numbers(ufunc):
    x = np.linspace(-2, 2, 9, dtype="f")
    for pair in ((x, 1.5), (1.5, x), (x, 1), (x[0], 1.5)):
        got = ufunc(*pair)
        assert got.dtype == np.float32
        assert_same_bits(got, ufunc(*(np.asarray(part, "f") for part in pair)), pair)
    assert type(ufunc(0.5, 1)) is np.float64
