"""Prints src/math/float64_tables.h: the constants of the float64 kernels.

    python src/coeffs/float64_tables.py > src/math/float64_tables.h

The polynomials interpolate at Chebyshev nodes, in high precision: near the best possible.
"""

from itertools import pairwise

from c_source import array, header, literal, pair64, wrapped
from functions import K1, K3, mills_ratio
from mpmath import mp, mpf

EXP_DEGREE = 10
SEGMENT_DEGREE = 16
# The edges of a + 3: two bits of its significand (mills_segment_f64 in math/gelu.h).
EDGES = [mpf(e) - 3 for e in (3, 3.5, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 42)]


def fit(f, low, high, degree):
    """Coefficients by rising power, largest absolute error. f may be 0/0 at 0, and smooth there."""

    def smooth(t):
        return f(t if abs(t) > mpf("1e-20") else mpf("1e-20"))

    coefficients, error = mp.chebyfit(smooth, [low, high], degree + 1, error=True)
    return coefficients[::-1], error


def bits(error):
    return f"2^{float(mp.log(error, 2)):.0f}"


def exp_polynomial():
    bound = mp.log(2) / 2
    coefficients, error = fit(lambda r: (mp.exp(-r) - 1 + r) / r**2, -bound, bound, EXP_DEGREE)
    return array(
        f"static const double EXP_F64[{EXP_DEGREE + 1}]",
        [literal(c) for c in coefficients],
        f"(exp(-r) - 1 + r)/r^2 on |r| <= ln(2)/2, error {bits(error)}, by rising power of r.",
        4,
    )


def segment(f, low, high):
    """f(center + t) = high part + low part + t p(t), as one row, and its relative error."""
    center = (low + high) / 2
    value = f(center)
    high_part = mpf(float(value))
    p, error = fit(lambda t: (f(center + t) - value) / t, low - center, high - center,
                   SEGMENT_DEGREE - 1)  # fmt: skip
    relative = error * (high - center) / min(f(low), f(high))
    return (center, high_part, value - high_part, *p), relative


def table(column, indent):
    return f"F64_TABLE({wrapped([literal(x) for x in column], indent + 10, 3)}),"


def mills_segments():
    rows, errors = zip(*(segment(mills_ratio, *edges) for edges in pairwise(EDGES)), strict=True)
    center, high, low, *coefficients = zip(*rows, strict=True)
    lines = [
        f"/* Mills' ratio Q(a) exp(a^2/2) on [0, 39], 16 segments of degree {SEGMENT_DEGREE}, "
        f"relative error {bits(max(errors))}. */",
        "static const f64_segments mills_segments_f64 = {",
        f"    .center = {table(center, 14)}",
        f"    .high = {table(high, 12)}",
        f"    .low = {table(low, 11)}",
        "    .coeff = {",
        *(f"        {table(column, 8)}" for column in coefficients),
        "    },",
        "};",
    ]
    return "\n".join(lines)


def ln2():
    high = mp.ldexp(mp.nint(mp.ldexp(mp.log(2), 41)), -41)
    return "\n".join([
        "/* ln 2 = high + low; the high part has 41 bits: times n < 2^12 it is exact. */",
        f"static const double LN2_HIGH_F64 = {literal(high)}, "
        f"LN2_LOW_F64 = {literal(mp.log(2) - high)};",
        f"static const double LOG2_E_F64 = {literal(1 / mp.log(2))};",
    ])  # fmt: skip


def main():
    body = [
        ln2(),
        exp_polynomial(),
        pair64("INV_SQRT_2PI", 1 / mp.sqrt(2 * mp.pi), "1/sqrt(2 pi)"),
        pair64("K1", K1, "K1 = 2 sqrt(2/pi)"),
        pair64("K3", K3, "K3 = 0.044715 K1"),
        mills_segments(),
    ]
    print(header("float64_tables.py", "float64_tables", body))


if __name__ == "__main__":
    main()
