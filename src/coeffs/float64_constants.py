"""Prints src/math/float64_constants.h: the constants of the float64 tails.

    python src/coeffs/float64_constants.py > src/math/float64_constants.h

The polynomials interpolate at Chebyshev nodes, in high precision: near the best possible.
"""

from c_source import array, header, literal, pair64
from functions import K1, K3, SIGMOID_SCALE, mills_ratio
from mpmath import mp, mpf

EXP_DEGREE = 10
MILLS_DEGREE = 10
MILLS_INTERVAL = (mpf("8.4"), mpf(39))  # gelu's rows end at 8.4 (float64_rows.py)


def fit(f, low, high, degree):
    """Coefficients by rising power, and the largest error."""
    coefficients, error = mp.chebyfit(f, [low, high], degree + 1, error=True)
    return coefficients[::-1], error


def bits(error):
    return f"2^{float(mp.log(error, 2)):.0f}"


def exp_polynomial():
    def f(r):
        r = r if abs(r) > mpf("1e-20") else mpf("1e-20")
        return (mp.exp(-r) - 1 + r) / r**2

    bound = mp.log(2) / 2
    coefficients, error = fit(f, -bound, bound, EXP_DEGREE)
    return array(
        f"static const double EXP_F64[{EXP_DEGREE + 1}]",
        [literal(c) for c in coefficients],
        f"(exp(-r) - 1 + r)/r^2 on |r| <= ln(2)/2, error {bits(error)}, by rising power of r.",
        4,
    )


def mills_polynomial(name, f, formula):
    """f(a) as a polynomial of w = 1/(a^2 + 3); its constant term in two parts."""
    low, high = (1 / (a * a + 3) for a in reversed(MILLS_INTERVAL))
    (constant, *rest), error = fit(lambda w: f(mp.sqrt(1 / w - 3)), low, high, MILLS_DEGREE)
    interval = "[{}, {}]".format(*(float(a) for a in MILLS_INTERVAL))
    return "\n".join([
        pair64(name, constant, f"{formula} on {interval}, error {bits(error)}: the constant term…"),
        array(f"static const double {name}_F64[{MILLS_DEGREE}]", [literal(c) for c in rest],
              "… and the others by rising power of w = 1/(a^2 + 3).", 4),
    ])  # fmt: skip


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
        mills_polynomial("MILLS", lambda a: a * mills_ratio(a), "a Q(a) exp(a^2/2)"),
        mills_polynomial("MILLS_GRAD", lambda a: 1 / mp.sqrt(2 * mp.pi) - mills_ratio(a) / a,
                         "(a phi(a) - Q(a)) exp(a^2/2)/a"),
        pair64("K1", K1, "K1 = 2 sqrt(2/pi)"),
        pair64("K3", K3, "K3 = 0.044715 K1"),
        pair64("SIGMOID_SCALE", SIGMOID_SCALE, "1.702"),
        pair64("TWO_INV_SQRT_PI", 2 / mp.sqrt(mp.pi), "2/sqrt(pi)"),
    ]  # fmt: skip
    print(header("float64_constants.py", "float64_constants", body))


if __name__ == "__main__":
    main()
