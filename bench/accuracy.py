"""Prints one table: the largest error found of each function, dtype and SIMD level, where, and the
registry's limit, against ball arithmetic. Fails if a limit is broken."""

import pathlib
import sys

from table_output import as_text, new_parser

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "tests"))
from helpers import CASES, available_levels, use_level
from samples import samples_with_exact, worst

HEADERS = ["function", "dtype", "SIMD levels", "points", "error, ULP", "limit", "at x"]


def at(x, dtype):
    """As few decimal digits as give the number back."""
    return str(dtype.type(x))


def measure(case, level, density):
    """((error, limit, place) as the table shows them, whether the limit holds)."""
    with use_level(level):
        ulp, x = worst(case, density)
    limit = case.limit(level)
    return (f"{ulp:.3f}", f"{limit:g}", at(x, case.dtype)), ulp <= limit


def case_rows(case, density):
    """Levels that agree in everything share a row."""
    results = {level: measure(case, level, density) for level in available_levels()}
    points = samples_with_exact(case, density)[0].size
    for result in dict.fromkeys(results.values()):
        levels = [level for level in results if results[level] == result]
        yield [case.name, case.dtype.name, ", ".join(levels), points, *result[0]], result[1]
    samples_with_exact.cache_clear()  # with many points all cases together fill the memory


def main():
    parser = new_parser(__doc__)
    parser.add_argument("--density", type=int, default=1, help="multiplies the number of points")
    options = parser.parse_args()
    results = [result for case in CASES for result in case_rows(case, options.density)]
    print(as_text([row for row, _ in results], HEADERS, options, disable_numparse=True))
    return not all(held for _, held in results)


if __name__ == "__main__":
    sys.exit(main())
