"""Prints the true figures of the formulas beside what popular articles say, in ball arithmetic."""

import pathlib
import sys

from flint import arb, arb_series, ctx
from table_output import as_text, new_parser

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "tests"))
import reference

F = reference.FUNCTIONS
NAMES = ("gelu", "gelu_tanh", "gelu_sigmoid", "silu")


def highest(function, low, high, count=2000):
    """(x, value) of the maximum: the best of a grid, then by thirds."""
    step = (arb(high) - low) / count
    best = max((low + i * step for i in range(count + 1)), key=lambda x: float(function(x)))
    low, high = best - step, best + step
    for _ in range(120):
        a, b = ((2 * low + high) / 3).mid(), ((low + 2 * high) / 3).mid()
        low, high = (a, high) if float(function(a) - function(b)) < 0 else (low, b)
    return low, function(low)


def falls_below(name, limit):
    """Where the absolute value of the function's negative tail falls below the limit."""
    low, high = arb(-1000), arb(-4)
    for _ in range(60):
        middle = ((low + high) / 2).mid()
        low, high = (middle, high) if abs(F[name](middle)) < limit else (low, middle)
    return high


def digits(ball, count=3):
    """Decimal, in the shorter of both notations."""
    return f"{float(ball):.{count}g}"


# ---- differences


def apart(a, b):
    x, value = highest(lambda x: abs(F[a](x) - F[b](x)), 0, 6)
    return f"{digits(value)} at x = ±{float(x):.2f}"


def constant_apart(factor):
    """What a rounded sqrt(2/pi) changes in gelu_tanh."""
    scale = arb(factor) / (2 / arb.pi()).sqrt()

    def difference(x):
        u = reference.tanh_argument(x)[0]
        return abs(x * (reference.sigmoid(scale * u) - reference.sigmoid(u)))

    return digits(highest(difference, 0, 6)[1], 2)


# ---- Abramowitz and Stegun, Handbook of Mathematical Functions: erf for x >= 0


def polynomial(coefficients, t):
    return sum(arb(c) * t ** (k + 1) for k, c in enumerate(coefficients))


def with_exponential(p, *coefficients):
    return lambda x: 1 - polynomial(coefficients, 1 / (1 + arb(p) * x)) * (-x * x).exp()


def with_power(power, *coefficients):
    return lambda x: 1 - (1 + polynomial(coefficients, x)) ** -power


HANDBOOK = {
    "7.1.25": with_exponential("0.47047", "0.3480242", "-0.0958798", "0.7478556"),
    "7.1.26": with_exponential("0.3275911", "0.254829592", "-0.284496736", "1.421413741",
                               "-1.453152027", "1.061405429"),
    "7.1.27": with_power(4, "0.278393", "0.230389", "0.000972", "0.078108"),
    "7.1.28": with_power(16, "0.0705230784", "0.0422820123", "0.0092705272", "0.0001520143",
                         "0.0002765672", "0.0000430638"),
}  # fmt: skip
HANDBOOK_IS_SAID = {"7.1.27": '"2.5e-5", which is the bound of 7.1.25'}


def handbook_error(name):
    error = highest(lambda x: abs(HANDBOOK[name](x) - x.erf()), 0, 6)[1]
    of_gelu = highest(
        lambda x: x * abs(HANDBOOK[name](x * arb(2).rsqrt()) - F["erf"](x * arb(2).rsqrt())) / 2,
        0, 8,
    )[1]  # fmt: skip
    return f"{digits(error, 2)}; of gelu made of it {digits(of_gelu, 2)}"


# ---- the rows: quantity, true value, what popular articles say


def minimum(name):
    x = reference.derivative_zero(f"{name}_grad")
    return f"{float(F[name](x)):.6f} at x = {float(x):.5f}"


def slope_range():
    x, value = highest(F["gelu_grad"], 0, 6)
    return f"[{float(1 - value):.6f}, {float(value):.6f}], at x = ∓{float(x):.6f} (√2)"


def slope_series():
    """Phi + x phi as a power series."""
    x = arb_series([0, 1], prec=6)
    root = arb(2).sqrt()
    density = (-x * x / 2).exp() / (2 * arb.pi()).sqrt()
    series = (1 + (x / root).erf()) / 2 + x * density
    a, b, c = (float(series[k]) for k in (1, 3, 5))
    return f"0.5 + {a:.6f} x - {-b:.6f} x³ + {c:.6f} x⁵ - …, that is 0.5 + (2x - (2/3)x³ + …)/√(2π)"


def ends(name):
    limits = (arb(2) ** -126, arb(2) ** -150, arb(2) ** -1022, arb(2) ** -1075)
    return " / ".join(f"{float(falls_below(name, limit)):.2f}" for limit in limits)


def rows():
    with ctx.workprec(200):
        return list(compute())


def compute():
    yield "largest abs(gelu_tanh - gelu)", apart("gelu_tanh", "gelu"), '"< 0.001", "1e-4"'
    yield "largest abs(gelu_sigmoid - gelu)", apart("gelu_sigmoid", "gelu"), '"0.003", "< 0.015"'
    yield "largest abs(silu - gelu)", apart("silu", "gelu"), ""
    for name, said in (("gelu_tanh", '"1e-4"'), ("gelu_sigmoid", "")):
        yield f"the same of the derivative of {name}", apart(f"{name}_grad", "gelu_grad"), said
    ratios = (digits(F["gelu_tanh"](arb(x)) / F["gelu"](arb(x)), 2) for x in (-4, -5, -6))
    yield "gelu_tanh / gelu at -4, -5, -6", ", ".join(ratios), ""
    yield "gelu(-5)", digits(F["gelu"](arb(-5)), 7), '"-0.00000012"'
    for name in NAMES:
        yield f"minimum of {name}", minimum(name), ""
    yield "range of the derivative of gelu", slope_range(), ""
    yield "the derivative of gelu near 0", slope_series(), "the factor 2 is often lost"
    for name in NAMES:
        where = "leaves float32 normals / is zero / leaves float64 normals / is zero"
        yield f"tail of {name}: {where}", ends(name), ""
    for factor in ("0.7978845608", "0.79788456", "0.797885", "0.7978"):
        yield f"what {factor} for √(2/π) changes in gelu_tanh", constant_apart(factor), ""
    for name in HANDBOOK:
        said = HANDBOOK_IS_SAID.get(name, "")
        yield f"error of erf by Abramowitz and Stegun {name}", handbook_error(name), said


def main():
    options = new_parser(__doc__).parse_args()
    headers = ["quantity", "true value", "what popular articles say"]
    print(as_text(rows(), headers, options, disable_numparse=True))


if __name__ == "__main__":
    main()
