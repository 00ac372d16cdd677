"""Prints src/math/float64_rows.c: h(a) for float64, a row of numbers for each short interval.

    python src/coeffs/float64_rows.py > src/math/float64_rows.c

On its interval a row gives h(a) = value + t p(t), t = a - center, p of degree 7. The centre is a
number near the middle at which h is within 2^-9 ulp of a float64 (Gal's method), so that value is
exact. Around a zero of h (a value's at a = 0, a derivative's root) rows are centred there and value
is 0; then a part of the slope, anchor_slope t, is added last, unrounded.
"""

from functools import reduce
from typing import NamedTuple

import functions as f
from c_source import literal
from mpmath import mp, mpf

mp.dps = 40
COEFFICIENTS = 8
CANDIDATES = 4000


def rounded(x):
    return mpf(float(x))


class Anchor(NamedTuple):
    """A zero of h, the part of the slope there that is added last, and where rows are centred on
    it: few, for far from its centre a polynomial's terms cancel."""

    zero: mpf
    slope: mpf
    low: mpf
    high: mpf


def at_origin(slope):
    return Anchor(mpf(0), mpf(slope), mpf(0), mpf("0.2"))


def at_root(h):
    zero = f.root(h)
    return Anchor(rounded(zero), rounded(mp.diff(h, zero)), zero - 0.08, zero + 0.08)


class Function(NamedTuple):
    """The row of a is round(a (a scale + slope)), scale = (rows - 0.51)/(end (end + b)),
    slope = b scale. b > 0 makes the rows near 0 wider than the others, b < 0 narrower."""

    h: object
    rows: int
    end: mpf
    b: float
    anchor: Anchor

    @property
    def scale(self):
        return rounded((self.rows - mpf("0.51")) / (self.end * (self.end + self.b)))

    @property
    def slope(self):
        return rounded(self.b * self.scale)

    def start(self, row):
        """Where a row begins: a (a scale + slope) = row - 1/2."""
        if row == 0:
            return mpf(0)
        position = row - mpf("0.5")
        return (mp.sqrt(self.slope**2 + 4 * self.scale * position) - self.slope) / (2 * self.scale)


def table(h, rows, end, b, anchor):
    return Function(h, rows, rounded(mpf(end)), b, anchor)


VALUE = at_origin("0.40625")  # h'(0) = 1/2
FUNCTIONS = {
    "gelu": table(f.gelu_value, 256, "8.4", 16, VALUE),
    "gelu_grad": table(f.gelu_derivative, 256, "8.75", 16, at_root(f.gelu_derivative)),
    "gelu_tanh": table(f.gelu_tanh_value, 256, "6.75", 12, VALUE),
    "gelu_tanh_grad": table(
        f.gelu_tanh_derivative, 256, "6.75", 12, at_root(f.gelu_tanh_derivative)
    ),
    "gelu_sigmoid": table(f.gelu_sigmoid_value, 320, "12", -36, VALUE),
    "gelu_sigmoid_grad": table(
        f.gelu_sigmoid_derivative, 320, "12", -36, at_root(f.gelu_sigmoid_derivative)
    ),
    "silu": table(f.silu_value, 320, "20", -60, VALUE),
    "silu_grad": table(f.silu_derivative, 320, "20", -60, at_root(f.silu_derivative)),
    "erf": table(mp.erf, 256, "6", 6, at_origin("1")),
}


def ulps_from_a_float(value):
    scaled = mp.ldexp(value, 53 - mp.frexp(value)[1])
    return abs(scaled - mp.nint(scaled))


def center_near(h, middle, width):
    """The candidate nearest to the middle that will do, or the best: where erf has become 1 but for
    a few ulp, h has too few values."""
    reach = width / 8
    series = mp.chebyfit(lambda t: h(middle + t), [-reach, reach], 14)
    best = mpf(1), middle
    for k in range(CANDIDATES):
        center = rounded(middle + (-1) ** k * reach * k / CANDIDATES)
        value = reduce(lambda sum_, c, d=center - middle: sum_ * d + c, series)
        best = min(best, (ulps_from_a_float(value), center))
        if best[0] < mpf(2) ** -9:
            break
    return best[1]


def polynomial(h, low, high, center, value, anchor_slope):
    def slope(t):
        t = t if abs(t) > mpf("1e-15") else mpf("1e-15")
        return (h(center + t) - value) / t - anchor_slope

    return mp.chebyfit(slope, [low - center, high - center], COEFFICIENTS)[::-1]


def row(function, low, high):
    h, anchor = function.h, function.anchor
    anchored = anchor.low <= low and high <= anchor.high
    center = anchor.zero if anchored else center_near(h, rounded((low + high) / 2), high - low)
    value = h(center)
    slope = anchor.slope if anchored else 0
    return center, value, *polynomial(h, low, high, center, value, slope)


def print_function(name, function):
    print(f"\n/* {name} on [0, {float(function.end)}] */")
    print(f"static _Alignas(64) const double {name}_row[{function.rows} + 1][ROW_LENGTH_F64] = {{")
    for k in [*range(function.rows), function.rows - 1]:  # the last one twice, see float64_rows.h
        numbers = row(function, function.start(k), function.start(k + 1))
        print("    {" + ", ".join(literal(x) for x in numbers) + "},")
    print("};")
    print(f"const f64_rows gelu_rows_{name} = {{")
    print(f"    .end = {literal(function.end)},")
    print(f"    .scale = {literal(function.scale)}, .slope = {literal(function.slope)},")
    print(f"    .anchor = {literal(function.anchor.zero)},")
    print(f"    .anchor_slope = {literal(function.anchor.slope)},")
    print(f"    .row = {name}_row,\n}};")


def main():
    print("/* Generated by src/coeffs/float64_rows.py: change that, not this. */")
    print("/* clang-format off */")
    print('#include "../registry.h"\n#include "float64_rows.h"')
    for name, function in FUNCTIONS.items():
        print_function(name, function)


if __name__ == "__main__":
    main()
