"""Prints one table: the largest error found of each function, dtype and SIMD level, where, and the
registry's limit, against ball arithmetic. Fails if a limit is broken."""

import argparse
import pathlib
import sys

from tabulate import tabulate

from gelu_ufunc import _core

# At the front: tests/accuracy.py has this file's name.
sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "tests"))
from accuracy import samples_with_exact, worst
from helpers import CASES, available_levels

HEADERS = ["function", "dtype", "SIMD levels", "points", "error, ULP", "limit", "at x"]
HEADERS += ["near its zero", "limit", "at x"]
NOTE = f"""\
Near its zero: the absolute error of a derivative within {_core.NEAR_ZERO} of its zero, if the limit
there is an absolute one; such points do not count in `error, ULP`."""


def at(x, dtype):
    """As few decimal digits as give the number back."""
    return str(dtype.type(x))


def measure(case, level, density):
    """(errors, places and limits as the table shows them, whether the limits hold)."""
    _core._select_isa(level)
    (ulp, x), (absolute, x0) = worst(case, level, density)
    limit, near_zero = case.limits(level)
    cells = [f"{ulp:.3f}", f"{limit:g}", at(x, case.dtype)]
    cells += [f"{absolute:.1e}", f"{near_zero:g}", at(x0, case.dtype)] if near_zero else [""] * 3
    return tuple(cells), ulp <= limit and absolute <= near_zero


def case_rows(case, density):
    """Levels that agree in everything share a row."""
    results = {level: measure(case, level, density) for level in available_levels()}
    points = samples_with_exact(case, density)[0].size
    for result in dict.fromkeys(results.values()):
        levels = [level for level in results if results[level] == result]
        yield [case.name, case.dtype.name, ", ".join(levels), points, *result[0]], result[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--density", type=int, default=1, help="multiplies the number of points")
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args()
    before = _core._selected_level()
    results = [result for case in CASES for result in case_rows(case, options.density)]
    _core._select_isa(before)
    style = "github" if options.markdown else "simple"
    print(tabulate([row for row, _ in results], HEADERS, style, disable_numparse=True))
    print(f"\n{NOTE}")
    return not all(held for _, held in results)


if __name__ == "__main__":
    sys.exit(main())
