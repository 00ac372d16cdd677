"""The formulas by the math module, right to some ULP of float64: for tests of what surrounds the
functions. reference.py has the exact ones."""

import math

import numpy as np

SQRT_2_OVER_PI = math.sqrt(2 / math.pi)


def gelu(x):
    return x * math.erfc(-x / math.sqrt(2)) / 2


def gelu_tanh(x, factor=SQRT_2_OVER_PI, cubic=0.044715):
    """By the sigmoid, since 1 + tanh cancels for x < 0."""
    return x / (1 + math.exp(-2 * factor * (x + cubic * x**3)))


def scaled(scale):
    """x sigmoid(scale x)"""
    return lambda x: x / (1 + math.exp(-scale * x))


FORMULAS = {
    "gelu": gelu,
    "gelu_tanh": gelu_tanh,
    "gelu_sigmoid": scaled(1.702),
    "silu": scaled(1.0),
}


def evaluate(function, x):
    """The function at each element, in float64."""
    x = np.asarray(x)
    return np.array([function(value) for value in x.ravel().tolist()], float).reshape(x.shape)
