"""GELU for HIPS autograd: each ufunc with its derivative.

Gains: one pass over the data instead of the six of `x * (1 + erf(x / sqrt(2))) / 2`, forward and
backward, and gradients that keep the negative tail. `python autograd_hips.py` measures both."""

import time

import autograd.numpy as np
from autograd import grad
from autograd.extend import defvjp, primitive
from autograd.scipy.special import erf

import gelu_ufunc


def differentiable(name):
    """The ufunc as a function that autograd knows the derivative of."""
    slope = getattr(gelu_ufunc, f"{name}_grad")
    function = primitive(getattr(gelu_ufunc, name))
    defvjp(function, lambda answer, x: lambda gradient: gradient * slope(x))
    return function


gelu = differentiable("gelu")
gelu_tanh = differentiable("gelu_tanh")
gelu_sigmoid = differentiable("gelu_sigmoid")
silu = differentiable("silu")


def written_out(x):
    return 0.5 * x * (1 + erf(x / np.sqrt(2)))


def main():
    x = np.random.default_rng(0).normal(0, 2, 1 << 20)
    for name, function in (("written out", written_out), ("gelu_ufunc", gelu)):
        slope = grad(lambda x, function=function: np.sum(function(x)))
        times = []
        for _ in range(7):
            start = time.perf_counter()
            slope(x)
            times.append((time.perf_counter() - start) * 1e3)
        tail = slope(np.array([-9.0]))[0]
        print(f"{name:<12} forward and backward {min(times):7.2f} ms; gelu'(-9) = {tail:.6e}")


if __name__ == "__main__":
    main()
