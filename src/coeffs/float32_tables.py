"""Prints src/math/float32_tables.h: the table core's segments, float32.

    python src/coeffs/float32_tables.py > src/math/float32_tables.h

It takes minutes: see float32_segments.py. Then tests/c/proof_float32.c has to be run, and what it
finds written below.
"""

from typing import NamedTuple

import functions as f
from c_source import header, literal32, wrapped
from float32_segments import Anchor, Segment, Table, rounded
from mpmath import mp, mpf

mp.dps = 40


def value(h, edge, b):
    """x/2 for small x: w0 and the anchor's slope are exact, their sum h'(0) = 1/2."""
    return Table("value", h, edge, b, Anchor(0, mpf(0), 0.375, w0=0.125))


def derivative(h, edge, b, segment, slope):
    """A segment is centred at the root. The slope is near h's there, but such that p, and so its
    rounding errors, are small at both of the segment's ends."""
    return Table("derivative", h, edge, b, Anchor(segment, f.root(h), rounded(slope)))


def odd(h, edge, b):
    return Table("odd", h, edge, b, Anchor(0, mpf(0), 1.0, w0=rounded(mp.diff(h, 0) - 1)), 8)


class Function(NamedTuple):
    formula: str
    table: Table
    proven: str  # the largest error and its place, as proof_float32 prints them


# b and the derivatives' slopes were chosen by the error that results.
FUNCTIONS = {
    "gelu": Function(
        "a Q(a), Q(a) = erfc(a/sqrt(2))/2",
        value(f.gelu_value, 5.375, 2.75),
        "0.8774 ULP at 0x1.5bff88p-2",
    ),
    "gelu_grad": Function(
        "Q(a) - a phi(a)",
        derivative(f.gelu_derivative, 5.9375, 4.75, 1, -0.41),
        "0.9441 ULP at 0x1.a6d942p-9",
    ),
    "gelu_tanh": Function(
        "a sigma(-v), v = K1 a + K3 a^3",
        value(f.gelu_tanh_value, 5.0, 2.6),
        "0.8851 ULP at -0x1.1bb3e6p+2",
    ),
    "gelu_tanh_grad": Function(
        "s - a v' s (1-s), s = sigma(-v)",
        derivative(f.gelu_tanh_derivative, 5.0, 3.5, 1, -0.45),
        "0.9238 ULP at 0x1.78c4p-13",
    ),
    "gelu_sigmoid": Function(
        "a sigma(-1.702 a)",
        value(f.gelu_sigmoid_value, 9.9375, -60),
        "0.8950 ULP at -0x1.0cc194p+3",
    ),
    "gelu_sigmoid_grad": Function(
        "s - 1.702 a s (1-s), s = sigma(-1.702 a)",
        derivative(f.gelu_sigmoid_derivative, 7.25, -25, 2, -0.375),
        "0.8826 ULP at 0x1.61f7dp-3",
    ),
    "silu": Function(
        "a sigma(-a)",
        value(f.silu_value, 16.75, -150),
        "0.8643 ULP at 0x1.09d284p-1",
    ),
    "silu_grad": Function(
        "s - a s (1-s), s = sigma(-a)",
        derivative(f.silu_derivative, 13.0, -42, 2, -0.22),
        "0.8639 ULP at 0x1.2ec628p-2",
    ),
    "erf": Function("erf(a)", odd(mp.erf, 4.125, 5), "0.7793 ULP at 0x1.363d44p+0"),
}


# ---- the tables


def table(words, indent):
    return f"F32_TABLE({wrapped([f'0x{word:08x}' for word in words], indent + 10, 6)}),"


def description(name, function):
    """What maps a number to its segment, and is common to all."""
    t = function.table
    return [
        f"/* {name}: h(a) = {function.formula} on [0, {t.edge}], {t.segments} segments of degree "
        f"{t.coefficients}.",
        f"   Largest error of the function, over all inputs: {function.proven}. */",
        f"static const f32_segments {name}_segments_f32 = {{",
        f"    .edge = {literal32(t.edge)}, .near_edge = {literal32(t.near_edge)},",
        f"    .scale = {literal32(t.scale)}, .slope = {literal32(t.slope)},",
        f"    .rows = {t.coefficients - 1}, .anchor = {t.anchor.segment}, "
        f".anchor_slope = {literal32(t.anchor.slope)},",
    ]


def segments(name, function):
    t = function.table
    columns = [Segment(t, k % t.segments).search()[1] for k in range(16)]
    center, value, *coefficients = zip(*columns, strict=True)
    lines = [
        *description(name, function),
        f"    .center = {table(center, 14)}",
        f"    .value = {table(value, 13)}",
        "    .coeff = {",
        *(f"        {table(row, 8)}" for row in coefficients),
        "    },",
        "};",
    ]
    return "\n".join(lines)


def main():
    tables = [segments(name, function) for name, function in FUNCTIONS.items()]
    body = ['#include "float32_segments.h"', *tables]
    print(header("float32_tables.py", "float32_tables", body))


if __name__ == "__main__":
    main()
