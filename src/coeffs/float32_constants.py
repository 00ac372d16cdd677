"""Prints src/math/float32_constants.h: the constants of the float32 tails.

python src/coeffs/float32_constants.py > src/math/float32_constants.h
"""

import functions as f
import numpy as np
from c_source import array, header, literal32, pair32
from float32_segments import chebyshev_nodes, rounded, rounded_fit
from mpmath import mp, mpf

mp.dps = 40
INV_SQRT_2PI = rounded(1 / mp.sqrt(2 * mp.pi))


def polynomial(name, function, variable, low, high, degree, weight, comment):
    """The variable's powers fitted to the function by weighted least squares; the constant term is
    rounded first."""
    nodes = chebyshev_nodes(low, high, 80)
    target = np.array([float(function(mpf(a))) for a in nodes])
    weights = np.array([weight(a) for a in nodes])
    columns = [weights]
    for _ in range(degree):
        columns.append(columns[-1] * variable(nodes))
    falling = rounded_fit(columns[::-1], weights * target, [rounded] * (degree + 1))
    coefficients = [literal32(c) for c in falling[::-1]]
    return array(f"static const float {name}_F32[{degree + 1}]", coefficients, comment, 5)


def exp_polynomial():
    bound = float(mp.log(2) / 2)
    return polynomial(
        "EXP", lambda r: (mp.exp(-r) - 1 + r) / r**2, lambda r: r, -bound, bound, 5,
        lambda r: r * r, "(exp(-r) - 1 + r)/r^2 on |r| <= ln(2)/2, by rising power of r.",
    )  # fmt: skip


def mills_polynomial(name, function, low, high, comment):
    return polynomial(
        name, lambda a: function(a) - INV_SQRT_2PI, lambda a: a - 9, low, high, 12,
        lambda a: 1.0, comment,
    )  # fmt: skip


def mills():
    return mills_polynomial(
        "MILLS", lambda a: a * f.mills_ratio(a), 5.375, 14.5,
        "Q(a) a exp(a^2/2) - INV_SQRT_2PI on [5.375, 14.5], by rising power of a - 9.",
    )  # fmt: skip


def mills_grad():
    return mills_polynomial(
        "MILLS_GRAD", lambda a: 1 / mp.sqrt(2 * mp.pi) - f.mills_ratio(a) / a, 5.9375, 14.75,
        "(a phi(a) - Q(a)) exp(a^2/2)/a - INV_SQRT_2PI on [5.9375, 14.75], likewise.",
    )  # fmt: skip


def ln2():
    """z + n high is a multiple of 2^-21 and less than 1/2."""
    high = mpf(float.fromhex("0x1.62e43p-1"))
    return "\n".join([
        "/* ln 2 = high + low; the high part has 21 bits: z + n high is exact for z >= 8. */",
        f"static const float LN2_HIGH_F32 = {literal32(high)}, "
        f"LN2_LOW_F32 = {literal32(mp.log(2) - high)};",
        f"static const float LOG2_E_F32 = {literal32(1 / mp.log(2))};",
    ])  # fmt: skip


def main():
    body = [
        exp_polynomial(),
        mills(),
        mills_grad(),
        ln2(),
        f"static const float INV_SQRT_2PI_F32 = {literal32(INV_SQRT_2PI)};",
        pair32("K1", f.K1, "K1 = 2 sqrt(2/pi)"),
        pair32("K3", f.K3, "K3 = 0.044715 K1"),
        pair32("SIGMOID_SCALE", f.SIGMOID_SCALE, "1.702"),
        pair32("TWO_INV_SQRT_PI", 2 / mp.sqrt(mp.pi), "2/sqrt(pi)"),
    ]
    print(header("float32_constants.py", "float32_constants", body))


if __name__ == "__main__":
    main()
