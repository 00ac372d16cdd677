"""Prints one table: how the float32 kernel of gelu comes to its result for one x < 0.

The numbers are computed here, with the tables in src/math/, and must end in the kernel's bits."""

import pathlib
import re
import sys

import numpy as np
from mpmath import mp, mpf
from table_output import as_text, new_parser

from gelu_ufunc import _core, gelu, simd

mp.prec = 400  # in which sums and products of floats are exact
SOURCE = pathlib.Path(__file__).parents[1] / "src" / "math"
CONSTANTS, TABLES = ((SOURCE / f"float32_{kind}.h").read_text() for kind in ("constants", "tables"))
TO_INTEGER = mpf(3 << 22)


# ---- float32 arithmetic, and the tables


def rounded(x):
    """To float32: nothing here is subnormal but a result."""
    with mp.workprec(24):
        return +x


def fma(a, b, c):
    return rounded(a * b + c)


def polynomial(t, coefficients):
    """As polynomial_f32 computes it."""
    square = rounded(t * t)
    last, other = coefficients[-1], coefficients[-2]
    for c in coefficients[-3::-1]:
        last, other = other, fma(last, square, c)
    return fma(last, t, other)


def constants(name):
    pattern = rf"\b{name}_F32(?:\[\d+\])? = (\{{.*?\}}|[^,;]*)"
    text = re.search(pattern, CONSTANTS, re.DOTALL)[1]
    return [mpf(float.fromhex(x)) for x in re.findall(r"-?0x[\da-f.]+p-?\d+", text)]


class Segments:
    """gelu_segments_f32."""

    def __init__(self):
        text = re.search(r"gelu_segments_f32 = \{(.*?)\n\};", TABLES, re.DOTALL)[1]
        fields = dict(re.findall(r"\.(\w+) = (-?0x[^,]+)f,", text))
        self.edge, self.scale, self.slope, self.anchor_slope = (
            mpf(float.fromhex(fields[name])) for name in ("edge", "scale", "slope", "anchor_slope")
        )
        tables = re.findall(r"F32_TABLE\((.*?)\)", text, re.DOTALL)
        words = [re.findall(r"0x(\w{8})", table) for table in tables]
        self.words = [[int(word, 16) for word in row] for row in words]

    def row(self, segment):
        """The centre, the value there and the coefficients; one more shares the last one's word."""
        words = [row[segment] for row in self.words]
        bits = np.array([*words, words[-1] << 16 & 0xFFFFFFFF], dtype=np.uint32)
        center, value, *coefficients = (mpf(float(number)) for number in bits.view(np.float32))
        return center, value, coefficients


# ---- the two paths: steps as (text, value), the result last


def table_steps(a):
    segments = Segments()
    position = fma(a, segments.scale, segments.slope)
    number = fma(a, position, TO_INTEGER) - TO_INTEGER
    yield "position on the map, a (a scale + slope)", rounded(a * position)
    yield "segment: that rounded to integer", number
    center, value, coefficients = segments.row(int(number))
    yield "its centre C", center
    yield "H = h(C)", value
    t = rounded(a - center)
    yield "t = a - C", t
    p = coefficients[-1]
    for c in coefficients[-2::-1]:
        p = fma(p, t, c)
    yield f"p(t), of degree {len(coefficients) - 1}", p
    h = fma(t, p, value)
    yield "h = H + t p(t)", fma(t, segments.anchor_slope, h) if number == 0 else h


def tail_steps(a, low_part=True):
    half = rounded(a / 2)
    high = rounded(half * a)
    low = half * a - high
    yield "a^2/2, rounded: high", high
    yield "the rest of it: low", low
    if not low_part:
        low = mpf(0)
    (log2_e,), (ln2_high,), (ln2_low,) = map(constants, ("LOG2_E", "LN2_HIGH", "LN2_LOW"))
    n = fma(high, -log2_e, TO_INTEGER) - TO_INTEGER
    yield "n = -high / ln 2, rounded to integer", n
    r = fma(n, ln2_high, high)
    yield "r = high + n ln2_high, exact", r
    rest = fma(n, ln2_low, low)
    yield "rest = low + n ln2_low", rest
    u = rounded(1 - r)
    yield "u = 1 - r, rounded", u
    g = fma(rounded(r * r), polynomial(r, constants("EXP")), rounded(rounded(1 - u) - r))
    g = fma(-rest, rounded(u + g), g)
    yield "g: what u lost, the series from r^2 on, and rest", g
    (constant,), mills = constants("INV_SQRT_2PI"), constants("MILLS")
    factor = polynomial(rounded(a - 9), mills)
    yield "the factor's constant, 1/sqrt(2 pi)", constant
    yield "the rest of the factor", factor
    small = fma(constant, g, rounded(factor * rounded(u + g)))
    product = fma(constant, u, small)
    yield "(u + g) (constant + rest)", product
    yield "h = that times 2^n", mp.ldexp(product, int(n))


# ---- the table


def exact(a):
    return a * mp.erfc(a / mp.sqrt(2)) / 2


def ulps(h, a):
    spacing = mp.ldexp(1, mp.frexp(exact(a))[1] - 24)
    return mp.nstr(abs(h - exact(a)) / spacing, 3)


def steps(x):
    a = mpf(float(abs(x)))
    beyond = a > Segments().edge
    rows = [("a = -x", a), *(tail_steps if beyond else table_steps)(a)]
    h = rows[-1][1]
    levels = [level["name"] for level in _core._levels() if level["has_fma"]]
    if simd.level() in levels and gelu(x) != -float(h):
        sys.exit(f"the kernel gives {gelu(x)!r}, these steps {-float(h)!r}")
    rows = [[text, mp.nstr(value, 9)] for text, value in rows]
    rows += [["gelu(x) = 0 - h", mp.nstr(-h, 9)], ["exact", mp.nstr(-exact(a), 12)],
             ["error, ULP", ulps(h, a)]]  # fmt: skip
    if beyond:
        *_, (_, h) = tail_steps(a, low_part=False)
        rows.append(["error, ULP, if low were left out", ulps(h, a)])
    return rows


def main():
    parser = new_parser(__doc__)
    parser.add_argument("x", type=np.float32, help="negative, in the tables or their tail")
    options = parser.parse_args()
    if not -14 < options.x < -(2.0**-99):
        parser.error("x: from -14 to -2^-99")
    print(as_text(steps(options.x), [f"x = {options.x}", ""], options, disable_numparse=True))


if __name__ == "__main__":
    main()
