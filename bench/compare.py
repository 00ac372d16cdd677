"""Prints one table: ns per element of the functions and their references, and ratios.

With --peers, it prints tables of how other libraries' functions do beside ours."""

import argparse
import itertools
import os
import pathlib
import platform
import re
import shlex
import statistics
import sys
from functools import partial

import cpuinfo
import numpy as np
import scipy
from contestants import DISTRIBUTIONS, DTYPES, FUNCTIONS, SIZES, arrays, contestants
from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__
from tabulate import tabulate
from timing import race, ratio

import gelu_ufunc
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


# ---- the two tables


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


def environment(script="compare.py"):
    return (
        f"{cpuinfo.get_cpu_info().get('brand_raw', platform.machine())}, "
        f"SIMD level {simd.level()}; gelu_ufunc {gelu_ufunc.__version__}, "
        f"NumPy {np.__version__}, SciPy {scipy.__version__}, Python {platform.python_version()}. "
        f"Command: `{shlex.join(['python', f'bench/{script}', *sys.argv[1:]])}`"
    )


# ---- command line


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)

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
        "--peers",
        nargs="*",
        choices=["speed", "accuracy"],
        metavar="X",
        help="compare with other libraries: speed, accuracy; default: both",
    )
    parser.add_argument("--markdown", action="store_true", help="print the table in Markdown")
    parser.add_argument("--output", type=pathlib.Path, help="write to this file")
    return parser.parse_args()


def main():
    options = parse_arguments()
    if options.simd:
        cap_simd(options.simd)
    style = "github" if options.markdown else "simple"
    about = environment()  # first: it forks, which some peers dislike
    if options.peers is None:
        headers, table = (call_cost if options.calls else throughput)(options)
        text = tabulate(table, headers, style, floatfmt=".2f")
    else:
        from field import report  # it needs python-flint too

        text = report(options, simd.level(), style)
    text = f"{text}\n\n{about}\n"
    if options.output:
        options.output.write_text(text)
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
