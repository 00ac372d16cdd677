"""Prints one table: ns per element of the functions and their references, and ratios.

With --peers, it prints tables of how other libraries' functions do beside ours."""

import itertools
import os
import pathlib
import re
import statistics
import sys
from functools import partial

import numpy as np
from contestants import DISTRIBUTIONS, DTYPES, FUNCTIONS, SIZES, arrays, contestants, rare
from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__
from table_output import as_text, environment, new_parser
from timing import race, ratio

from gelu_ufunc import simd

# ---- SIMD level: both sides' must be capped before NumPy is imported, that is, in a new process

NUMPY_FEATURES_ABOVE = {"baseline": "", "avx2": "AVX512|X86_V4"}  # names differ between releases


def cap_simd(level):
    """Return if the level is in use already; else start again with it."""
    above = NUMPY_FEATURES_ABOVE.get(level)
    features = [name for name in __cpu_dispatch__ if __cpu_features__[name]]
    features = [name for name in features if above is not None and re.search(above, name)]
    if simd.level() == level and not features:
        return
    caps = {"GELU_UFUNC_SIMD": level, "NPY_DISABLE_CPU_FEATURES": " ".join(features)}
    os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], {**os.environ, **caps})


# ---- the tables


def rows(calls, rounds, elements, references):
    times = race(calls, rounds)
    for name, values in times.items():
        ratios = [ratio(values, times[reference]) for reference in references]
        yield [name, statistics.median(values) / elements, *ratios]


def throughput(options):
    references = ("np.tanh", "np.copyto")
    table = []
    for case in itertools.product(options.dtypes, options.sizes, options.data):
        dtype, size, data = case
        x, out = arrays(data, SIZES[size], dtype)
        calls = contestants(options.functions, x, out)
        table += [[*case, *row] for row in rows(calls, options.repeat, x.size, references)]
    ratios = [f"/ {name}" for name in references]
    return ["dtype", "size", "data", "", "ns per element", *ratios], table


def by_size(options):
    """The same with a row for each contestant, and the sizes side by side."""
    (_, _, _, _, *columns), table = throughput(options)
    rows = {}
    for dtype, _, data, name, *numbers in table:
        rows.setdefault((dtype, data, name), []).extend(numbers)
    columns = [column.removesuffix(" per element") for column in columns]
    sizes = [f"{size}: {column}" for size in options.sizes for column in columns]
    return ["dtype", "data", "", *sizes], [[*key, *numbers] for key, numbers in rows.items()]


def by_data(options):
    """ns per element on frequent and on rare numbers, all of a function in turns."""
    table, headers = [], ["real", "N(0,1)", "N(0,3)", "tail", "subnormal f(x)", "subnormal x"]
    for dtype, size, name in itertools.product(options.dtypes, options.sizes, options.functions):
        data = {"real": "real", "N(0,1)": "N(0,1)", "N(0,3)": "N(0,3)", **rare(name, dtype)}
        count = SIZES[size]
        calls = {
            label: partial(FUNCTIONS[name], *arrays(distribution, count, dtype))
            for label, distribution in data.items()
        }
        times = race(calls, options.repeat)
        medians = {label: statistics.median(values) / count for label, values in times.items()}
        worst = times[max(medians, key=medians.get)]
        best = times[min(medians, key=medians.get)]
        columns = [medians.get(label) for label in headers]
        table.append([dtype, size, name, *columns, ratio(worst, times["real"]), ratio(worst, best)])
    return ["dtype", "size", "function", *headers, "worst / real", "worst / best"], table


def call_cost(options):
    """What a call costs, beside np.exp: here that matters more than the elements."""
    functions = {"np.exp": np.exp, **{name: FUNCTIONS[name] for name in options.functions}}
    table = []
    for dtype in options.dtypes:
        scalar = np.dtype(dtype).type(0.5)
        for kind, arguments in (("scalar", [scalar]), ("64 elements", arrays("real", 64, dtype))):
            calls = {name: partial(f, *arguments) for name, f in functions.items()}
            table += [[dtype, kind, *row] for row in rows(calls, options.repeat, 1, ["np.exp"])]
    return ["dtype", "argument", "", "ns per call", "/ np.exp"], table


# ---- command line


def parse_arguments():
    parser = new_parser(__doc__)

    def add_list(option, choices, default):
        text = f"of {', '.join(choices)}; default: {' '.join(default)}"
        parser.add_argument(
            option, nargs="+", choices=list(choices), default=list(default), metavar="X", help=text
        )

    add_list("--functions", FUNCTIONS, FUNCTIONS)
    add_list("--dtypes", DTYPES, DTYPES)
    add_list("--sizes", SIZES, ["1K", "128K", "4M"])
    add_list("--data", DISTRIBUTIONS, ["real"])
    parser.add_argument("--simd", choices=simd.available(), help="cap ours and NumPy's SIMD level")
    parser.add_argument("--repeat", type=int, default=25, help="rounds; default: %(default)s")
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument(
        "--calls", action="store_true", help="time calls with a scalar or 64 elements, not arrays"
    )
    kind.add_argument(
        "--by-size", action="store_true", help="the sizes side by side, one row for each function"
    )
    kind.add_argument(
        "--by-data",
        action="store_true",
        help="ns per element on frequent and on rare numbers, of each function its own",
    )
    kind.add_argument(
        "--peers",
        nargs="*",
        choices=["speed", "accuracy"],
        metavar="X",
        help="compare with other libraries: speed, accuracy; default: both",
    )
    parser.add_argument("--output", type=pathlib.Path, help="write to this file")
    return parser.parse_args()


def main():
    options = parse_arguments()
    if options.simd:
        cap_simd(options.simd)
    about = environment()  # first: it forks, which some peers dislike
    if options.peers is None:
        kinds = {call_cost: options.calls, by_size: options.by_size, by_data: options.by_data}
        headers, table = next((kind for kind in kinds if kinds[kind]), throughput)(options)
        text = as_text(table, headers, options, floatfmt=".2f")
    else:
        from peer_tables import report  # it needs python-flint too

        text = report(options, simd.level())
    text = f"{text}\n\n{about}\n"
    if options.output:
        options.output.write_text(text)
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
