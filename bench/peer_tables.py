"""The tables of compare.py --peers: speed and accuracy of the libraries in peers.py beside ours."""

import itertools
import pathlib
import statistics
import sys
from functools import partial

import numpy as np
import peers
from contestants import FUNCTIONS, SIZES, arrays
from table_output import as_text
from timing import race, ratio

sys.path.append(str(pathlib.Path(__file__).parents[1] / "tests"))
import reference

OURS = "gelu_ufunc"
EDGES = (-14, -5, -1, 0, 1, 14)  # of the intervals whose largest errors are shown
POINTS = 5000  # in each interval


def contestants_of(name, forms):
    """{label: bind} of all that compute the function, ours first."""
    ours = {OURS: lambda x, out: partial(FUNCTIONS[name], x, out)}
    return ours | {label: bind for (label, function), bind in forms.items() if function == name}


def answer(bind, x):
    out = np.full_like(x, np.nan)
    result = bind(x, out)()
    return np.asarray(out if result is None else result)


def usable(forms, dtype):
    """(the forms that take this dtype, {label: why not} of the others)."""
    taken, refused = {}, {}
    for (label, name), bind in forms.items():
        try:
            answer(bind, np.linspace(-2, 2, 64, dtype=dtype))
            taken[label, name] = bind
        except Exception as error:  # each library has its own
            refused[f"{label}, {dtype}"] = peers.shortened(error)
    return taken, refused


# ---- speed


def relative_times(name, forms, x, out, rounds):
    """{label: time as a multiple of ours}; of ours itself, ns per element."""
    calls = {label: bind(x, out) for label, bind in contestants_of(name, forms).items()}
    yardsticks = {"np.copyto": partial(np.copyto, out, x), "np.tanh": partial(np.tanh, x, out)}
    times = race(calls | yardsticks, rounds)
    ratios = {label: ratio(values, times[OURS]) for label, values in times.items()}
    return ratios | {OURS: statistics.median(times[OURS]) / x.size}


def speed_table(options, forms, x, out):
    columns = [relative_times(name, forms, x, out, options.repeat) for name in options.functions]
    labels = dict.fromkeys([OURS, "np.copyto", "np.tanh", *(label for label, _ in forms)])
    rows = [
        [label, *(f"{column[label]:.2f}" if label in column else "" for column in columns)]
        for label in labels
    ]
    rows[0][0] += ", ns per element"
    return ["", *options.functions], [row for row in rows if any(row[1:])]


def speed(options, forms, dtype):
    for size, data in itertools.product(options.sizes, options.data):
        title = f"{dtype}, {size} elements ({data}): time as a multiple of {OURS}'s"
        yield title, *speed_table(options, forms, *arrays(data, SIZES[size], dtype))


# ---- accuracy


def points(low, high, dtype):
    rng = np.random.default_rng(1)
    x = rng.uniform(low, high, POINTS)
    if 0 in (low, high):
        # Exact, where a power would differ between NumPy's SIMD levels, and so would the points.
        x[::2] = np.ldexp(x[::2], -rng.integers(0, 30, x[::2].size))
    return x.astype(dtype)


def accuracy_rows(name, forms, dtype):
    samples = [points(*interval, dtype) for interval in itertools.pairwise(EDGES)]
    exact = [reference.evaluate(name, x) for x in samples]
    largest = reference.finfo(dtype).max
    special = np.array([-np.inf, -largest, -0.0, largest, np.inf, np.nan], dtype)
    for label, bind in contestants_of(name, forms).items():
        errors = [e.error(answer(bind, x)).max() for e, x in zip(exact, samples, strict=True)]
        yield [name, label, *(f"{value:.3g}" for value in [*errors, *answer(bind, special)])]


def accuracy(options, forms, dtype):
    intervals = [f"[{low}, {high}]" for low, high in itertools.pairwise(EDGES)]
    headers = ["function", "", *intervals, "f(-inf)", "f(-max)", "f(-0.0)", "f(max)", "f(inf)",
               "f(nan)"]  # fmt: skip
    rows = [row for name in options.functions for row in accuracy_rows(name, forms, dtype)]
    yield f"{dtype}: largest error in ULP by interval, and special values", headers, rows


# ---- both

TABLES = {"speed": speed, "accuracy": accuracy}


def listing(title, reasons):
    lines = [f"- {name}: {reason}" for name, reason in reasons.items()]
    return "\n".join([f"{title}:", "", *lines])


@np.errstate(all="ignore")  # the forms in NumPy warn, and not only of special values
def report(options, level):
    forms, versions, missing = peers.load(level)
    parts, refused = [], {}
    for dtype in options.dtypes:
        taken, why_not = usable(forms, dtype)
        refused |= why_not
        for kind in options.peers or TABLES:
            for title, headers, rows in TABLES[kind](options, taken, dtype):
                table = as_text(rows, headers, options, disable_numparse=True)
                parts.append(f"### {title}\n\n{table}")
    if refused:
        parts.append(listing("Not available", refused))
    parts.append(listing("Missing", missing) if missing else "No library was missing.")
    parts.append(", ".join(f"{library} {version}" for library, version in versions.items()) + ".")
    return "\n\n".join(parts)
