"""Prints src/math/float32_tables.h: the table core's segments and the tail's constants, float32.

    python src/coeffs/float32_tables.py > src/math/float32_tables.h

The words of the tables stand in float32_tables.csv. They were fitted to h by weighted least
squares around centres at which h is within 2^-9 ulp of a float (Gal's method), and kept because the
core, run over every float of the segment, stayed within the error stated here.
"""

import csv
import pathlib
import struct

from c_source import array, header, literal32, pair32, wrapped
from functions import (
    K1,
    K3,
    SIGMOID_SCALE,
    gelu_derivative,
    gelu_sigmoid_derivative,
    gelu_tanh_derivative,
    root,
    silu_derivative,
)
from mpmath import mp, mpf

TABLES = pathlib.Path(__file__).with_name("float32_tables.csv")


def anchor_at_zero(a1):
    """Values: h(a) = a1 a + … in segment 0, where the centre is 0; the table's w0 is h'(0) - a1."""
    return 0, mpf(a1)


def anchor_at_root(derivative, segment):
    """Derivatives: a segment is centred at the root; its w0 is the rest of the slope there."""
    return segment, mp.diff(derivative, root(derivative))


# name: h, interval, quadratic index map (scale, slope), anchored segment and its slope, and the
# largest error over all inputs in ULP. The index of a is round(a (a scale + slope)), where
# scale = 15.49 / (edge (edge + b)) and slope = scale b for a b chosen by the error that results.
FUNCTIONS = {
    "gelu": ("a Q(a), Q(a) = erfc(a/sqrt(2))/2", 5.375, "0x1.6b33fep-2", "0x1.f3677ep-1",
             anchor_at_zero("0.40625"), 0.927),
    "gelu_grad": ("Q(a) - a phi(a)", 5.9375, "0x1.bf92dp-3", "0x1.4fae1cp0",
                  anchor_at_root(gelu_derivative, 1), 0.977),
    "gelu_tanh": ("a sigma(-v), v = K1 a + K3 a^3", 5.0, "0x1.a16a2cp-2", "0x1.0f51dp0",
                  anchor_at_zero("0.40625"), 0.909),
    "gelu_tanh_grad": ("s - a v' s (1-s), s = sigma(-v)", 5.0, "0x1.7537c8p-2", "0x1.4690dp0",
                       anchor_at_root(gelu_tanh_derivative, 1), 0.942),
    "gelu_sigmoid": ("a sigma(-1.702 a)", 9.9375, "-0x1.fe2186p-6", "0x1.de3f6ep0",
                     anchor_at_zero("0.40625"), 0.942),
    "gelu_sigmoid_grad": ("s - 1.702 a s (1-s), s = sigma(-1.702 a)", 7.25, "-0x1.bb1ac8p-4",
                          "0x1.75de98p1", anchor_at_root(gelu_sigmoid_derivative, 2), 0.907),
    "silu": ("a sigma(-a)", 16.75, "-0x1.c6d48ap-8", "0x1.0a8088p0",
             anchor_at_zero("0.40625"), 0.890),
    "silu_grad": ("s - a s (1-s), s = sigma(-a)", 13.0, "-0x1.5096cep-5", "0x1.b9c5eep0",
                  anchor_at_root(silu_derivative, 2), 0.871),
    "erf": ("erf(a)", 4.125, "0x1.97869p-3", "0x1.fd6834p-1", anchor_at_zero("1.0"), 0.842),
}  # fmt: skip

# (exp(-r) - 1 + r)/r^2 on |r| <= ln(2)/2, by rising power of r.
EXP = ("0x1p-1", "-0x1.555556p-3", "0x1.5555p-5", "-0x1.110fc2p-7", "0x1.6d307ap-10",
       "-0x1.a2d978p-13")  # fmt: skip

# Tails on [5.375, 14.75]: words, by rising power of a - 9.
MILLS = (
    "bb9bc0a9 3a85b70b b92a5611 37bed864 b6465ac2 34c44408 b33c16d2 31abba87 b00fe32b 2e83d0e8 "
    "ad1c49c6 2b8f762b a9626dd7"
)
MILLS_GRAD = (
    "bb9f7784 3a8c18fe b937f6ee 37d5f525 b66867e3 34f2ab80 b377fb3f 31ed37cf b04ba898 2ed905dd "
    "ad9a7014 2c137dba a9e33ed0"
)


def polynomial(name, values, comment):
    declaration = f"static const float {name}_F32[{len(values)}]"
    return array(declaration, [literal32(v) for v in values], comment, 5)


def floats(words):
    return [struct.unpack(">f", bytes.fromhex(word))[0] for word in words.split()]


def table(words, indent):
    return f"F32_TABLE({wrapped(['0x' + word for word in words], indent + 10, 6)}),"


def near_edge(edge, scale, slope):
    """Where segment 7 ends, less a little for the roundings in the index."""
    a = mp.findroot(lambda a: a * (a * scale + slope) - mpf("7.5"), 7.5 / slope)
    return min(edge, mp.floor(a * 1024 - mpf("0.5")) / 1024)


def segments(name, rows):
    h, edge, scale, slope, (anchor, anchor_slope), ulp = FUNCTIONS[name]
    coefficients = [rows[row] for row in sorted(rows) if row.startswith("w")]
    lines = [
        f"/* {name}: h(a) = {h} on [0, {edge}], 16 segments of degree {len(coefficients) + 1}.",
        f"   Largest error of the function {ulp} ULP, over all inputs. */",
        f"static const f32_segments {name}_segments_f32 = {{",
        f"    .edge = {literal32(edge)}, "
        f".near_edge = {literal32(near_edge(edge, float.fromhex(scale), float.fromhex(slope)))},",
        f"    .scale = {literal32(float.fromhex(scale))}, "
        f".slope = {literal32(float.fromhex(slope))},",
        f"    .rows = {len(coefficients)}, .anchor = {anchor}, "
        f".anchor_slope = {literal32(anchor_slope)},",
        f"    .center = {table(rows['C'], 14)}",
        f"    .value = {table(rows['H'], 13)}",
        "    .coeff = {",
        *(f"        {table(row, 8)}" for row in coefficients),
        "    },",
        "};",
    ]
    return "\n".join(lines)


def read_tables():
    tables = {}
    with TABLES.open(newline="") as file:
        for function, row, *words in list(csv.reader(file))[1:]:
            tables.setdefault(function, {})[row] = words
    return tables


def ln2():
    """The high part has 21 bits, so that n times it is exact for n < 2^8."""
    high = mpf(float.fromhex("0x1.62e43p-1"))
    return "\n".join([
        "/* ln 2 = high + low; the high part has 21 bits, so that n times it is near exact. */",
        f"static const float LN2_HIGH_F32 = {literal32(high)}, "
        f"LN2_LOW_F32 = {literal32(mp.log(2) - high)};",
        f"static const float LOG2_E_F32 = {literal32(1 / mp.log(2))};",
    ])  # fmt: skip


def main():
    tables = read_tables()
    body = [
        '#include "segments.h"',
        polynomial("EXP", [float.fromhex(c) for c in EXP],
                   "(exp(-r) - 1 + r)/r^2 on |r| <= ln(2)/2, by rising power of r."),
        polynomial("MILLS", floats(MILLS),
                   "Q(a) a exp(a^2/2) - INV_SQRT_2PI on [5.375, 14.5], by rising power of a - 9."),
        polynomial("MILLS_GRAD", floats(MILLS_GRAD),
                   "(a phi(a) - Q(a)) exp(a^2/2)/a - INV_SQRT_2PI on [5.9375, 14.75], likewise."),
        ln2(),
        f"static const float INV_SQRT_2PI_F32 = {literal32(1 / mp.sqrt(2 * mp.pi))};",
        pair32("K1", K1, "K1 = 2 sqrt(2/pi)"),
        pair32("K3", K3, "K3 = 0.044715 K1"),
        pair32("SIGMOID_SCALE", SIGMOID_SCALE, "1.702"),
        pair32("TWO_INV_SQRT_PI", 2 / mp.sqrt(mp.pi), "2/sqrt(pi)"),
        *(segments(name, tables[name]) for name in FUNCTIONS),
    ]  # fmt: skip
    print(header("float32_tables.py", "float32_tables", body))


if __name__ == "__main__":
    main()
