"""Every formula with the math module alone, for teaching and debugging, and `explain`, which prints
each intermediate value: python pure_python.py -2.7 gelu_tanh

Gains: no array, no dtype and no compiled code stands between the formula and its value. In float64,
values are right to 3 ULP for x > -1. In the negative tail they are up to 2000 ULP off, unlike the
ufuncs': what erfc and exp are given, x / sqrt(2) for one, is rounded, and they magnify that."""

import argparse
import math


def sigmoid(v):
    return 1 / (1 + math.exp(-v)) if v > -700 else math.exp(v)  # exp(-v) would overflow


def bell(factor, s, rest):
    """factor s (1 - s); in the tails 0, even if the factor has overflowed."""
    return factor * s * rest if s and rest else 0.0


def gelu(x):
    """x Phi(x). By erfc, because 1 + erf cancels for x < 0."""
    yield "x / sqrt(2)", (root := x / math.sqrt(2))
    yield "Phi(x) = erfc(-x / sqrt(2)) / 2", (cdf := math.erfc(-root) / 2)
    yield (
        "phi(x) = exp(-x^2 / 2) / sqrt(2 pi)",
        (pdf := math.exp(-x * x / 2) / math.sqrt(2 * math.pi)),
    )
    yield "gelu(x) = x Phi(x)", x * cdf
    yield "gelu'(x) = Phi(x) + x phi(x)", cdf + x * pdf


def gelu_tanh(x):
    """x (1 + tanh u) / 2 = x sigmoid(2 u). By the latter, because 1 + tanh cancels for x < 0."""
    yield "k = sqrt(2 / pi)", (k := math.sqrt(2 / math.pi))
    yield "u = k (x + 0.044715 x^3)", (u := k * (x + 0.044715 * x * x * x))
    yield "u' = k (1 + 0.134145 x^2)", (slope := k * (1 + 0.134145 * x * x))
    yield "s = sigmoid(2 u)", (s := sigmoid(2 * u))
    yield "1 - s = sigmoid(-2 u)", (rest := sigmoid(-2 * u))
    yield "gelu_tanh(x) = x s", x * s
    yield "gelu_tanh'(x) = s + 2 x u' s (1 - s)", s + bell(2 * x * slope, s, rest)


def scaled(x, name, scale):
    """x sigmoid(a x)."""
    yield "v = a x", (v := scale * x)
    yield "s = sigmoid(v)", (s := sigmoid(v))
    yield "1 - s = sigmoid(-v)", (rest := sigmoid(-v))
    yield f"{name}(x) = x s", x * s
    yield f"{name}'(x) = s + v s (1 - s)", s + bell(v, s, rest)


STEPS = {
    "gelu": gelu,
    "gelu_tanh": gelu_tanh,
    "gelu_sigmoid": lambda x: scaled(x, "gelu_sigmoid", 1.702),
    "silu": lambda x: scaled(x, "silu", 1.0),
}


def evaluate(x, variant):
    """(value, derivative)"""
    *_, (_, value), (_, slope) = STEPS[variant](x)
    return value, slope


def explain(x, variant):
    """Print each step."""
    if variant not in STEPS:
        raise ValueError(f"{variant!r} is none of {', '.join(STEPS)}")
    for step, value in STEPS[variant](x):
        print(f"{step:<36} {value!r}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("x", type=float)
    parser.add_argument("variant", choices=STEPS, nargs="?", default="gelu")
    arguments = parser.parse_args()
    if not math.isfinite(arguments.x):
        parser.error(f"x must be finite, not {arguments.x}")
    explain(**vars(arguments))


if __name__ == "__main__":
    main()
