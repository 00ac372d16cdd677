"""Prints one table: ns per element of one fused call and of the separate ufuncs it stands for."""

import statistics
from functools import partial

import numpy as np
from contestants import DISTRIBUTIONS, DTYPES, SIZES, arrays
from table_output import as_text, environment, new_parser
from timing import race, ratio

import gelu_ufunc
from gelu_ufunc import _core

# The separate ufuncs of each composition: with new arrays, and with out= and a temporary at hand.


def separate_gradient(f, grad_output, x):
    return grad_output * f(x)


def reused_gradient(f, grad_output, x, out, temporary):
    np.multiply(grad_output, f(x, temporary), out)


def separate_gate(f, gate, up):
    return f(gate) * up


def reused_gate(f, gate, up, out, temporary):
    np.multiply(f(gate, temporary), up, out)


def separate_sum(f, x, bias):
    return f(x + bias)


def reused_sum(f, x, bias, out, temporary):
    f(np.add(x, bias, temporary), out)


def separate_swish(f, x, beta):
    return f(beta * x) / beta


def reused_swish(f, x, beta, out, temporary):
    np.divide(f(np.multiply(beta, x, temporary), temporary), beta, out)


SEPARATE = {
    "gradient": (separate_gradient, reused_gradient),
    "gate": (separate_gate, reused_gate),
    "sum": (separate_sum, reused_sum),
    "swish": (separate_swish, reused_swish),
}
ROWS = {row["name"]: row for row in _core._compositions()}
DEFAULT = ["gelu_backward", "bias_gelu", "geglu", "swiglu", "swish"]


def contestants(row, pair, out):
    """All of one function; new arrays against a new array, out= against out=."""
    fused, f = getattr(gelu_ufunc, row["name"]), getattr(gelu_ufunc, row["function"])
    separate, reused = SEPARATE[row["composition"]]
    return {
        "fused": partial(fused, *pair),
        "separate": partial(separate, f, *pair),
        "fused, out=": partial(fused, *pair, out),
        "separate, out=": partial(reused, f, *pair, out, np.empty_like(out)),
    }


def table(options):
    for dtype in options.dtypes:
        for size in options.sizes:
            x, out = arrays(options.data, SIZES[size], dtype)
            pair = x, np.random.default_rng(2).permutation(x)
            for name in options.functions:
                times = race(contestants(ROWS[name], pair, out), options.repeat)
                ns = [statistics.median(values) / x.size for values in times.values()]
                gains = [
                    ratio(times[f"separate{way}"], times[f"fused{way}"]) for way in ("", ", out=")
                ]
                yield [name, dtype, size, *ns[:2], gains[0], *ns[2:], gains[1]]


HEADERS = ["", "dtype", "size", "fused", "separate", "gain",
           "fused, out=", "separate, out=", "gain"]  # fmt: skip


def main():
    parser = new_parser(__doc__)
    parser.add_argument("--functions", nargs="+", choices=ROWS, default=DEFAULT, metavar="X")
    parser.add_argument("--dtypes", nargs="+", choices=DTYPES, default=["float32"], metavar="X")
    parser.add_argument("--sizes", nargs="+", choices=SIZES, default=["128K", "16M"], metavar="X")
    parser.add_argument("--data", choices=DISTRIBUTIONS, default="N(0,1)", metavar="X")
    parser.add_argument("--repeat", type=int, default=15, help="rounds; default: %(default)s")
    options = parser.parse_args()
    print(as_text(table(options), HEADERS, options, floatfmt=".2f"))
    print(f"\n{environment()}")


if __name__ == "__main__":
    main()
