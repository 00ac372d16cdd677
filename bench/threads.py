"""Prints what a call of `gelu_ufunc.threaded` costs, and from which size on threads pay."""

from functools import partial
from unittest import mock

from contestants import DTYPES, FUNCTIONS, arrays
from table_output import as_text, environment, new_parser
from timing import race

from gelu_ufunc import _threaded, threaded

SIZES = [1 << n for n in range(15, 25)]


def threads_always():
    """The rule for small arrays switched off: even two elements are shared out."""
    return mock.patch.multiple(_threaded, _PER_THREAD=1, _PER_BLOCK=1)


def duel(options, dtype, size):
    """Microseconds of the plain call and of the threaded one."""
    arguments = arrays("real", size, dtype)
    ufunc = FUNCTIONS[options.function]
    functions = {"plain": ufunc, "threaded": threaded(ufunc, options.workers)}
    times = race({name: partial(f, *arguments) for name, f in functions.items()}, options.repeat)
    # The least: in other rounds the second core may have been at work for somebody else.
    plain, ours = (min(column) / 1000 for column in times.values())
    return plain, ours


def call_costs(options):
    for dtype in options.dtypes:
        plain, small = duel(options, dtype, 64)
        with threads_always():
            _, shared = duel(options, dtype, 64)
        yield [dtype, plain, small, shared]


def gains(options):
    with threads_always():
        for dtype in options.dtypes:
            for size in SIZES:
                plain, ours = duel(options, dtype, size)
                yield [dtype, size, plain, ours, plain / ours]


def break_evens(table):
    """For each dtype the first size at which threads are faster."""
    for dtype in dict.fromkeys(row[0] for row in table):
        gained = [str(size) for name, size, *_, gain in table if name == dtype and gain > 1]
        yield f"{dtype}: {(*gained, 'none')[0]}"


def parse_arguments():
    parser = new_parser(__doc__)
    parser.add_argument("--function", choices=list(FUNCTIONS), default="gelu", metavar="X")
    parser.add_argument("--dtypes", nargs="+", choices=list(DTYPES), default=list(DTYPES))
    parser.add_argument("--workers", type=int, help="threads; default: all cores")
    parser.add_argument("--repeat", type=int, default=25, help="rounds; default: %(default)s")
    return parser.parse_args()


def main():
    options = parse_arguments()
    about = environment()
    costs = ["dtype", "plain, µs", "threaded, small array: µs", "threaded, handed out: µs"]
    print(as_text(call_costs(options), costs, options, floatfmt=".2f"))
    table = list(gains(options))
    headers = ["dtype", "elements", "plain, µs", "threaded, µs", "times as fast"]
    print("", as_text(table, headers, options, floatfmt=".2f"), sep="\n")
    print(f"\nBreak-even, elements: {', '.join(break_evens(table))}.")
    print(f"\nThreads: {options.workers or _threaded._cores()}. {about}")


if __name__ == "__main__":
    main()
