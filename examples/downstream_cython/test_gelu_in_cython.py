"""The functions through Cython against the ufuncs."""

import gelu_in_cython
import numpy as np
import pytest

import gelu_ufunc


@pytest.mark.parametrize("n", [0, 1, 1000])
def test_array_form(n):
    x = np.random.default_rng(1).normal(0, 3, n).astype(np.float32)
    expected = gelu_ufunc.gelu(x)
    gelu_in_cython.gelu_in_place(x)
    assert x.tobytes() == expected.tobytes()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("step", [1, 3, -2])
def test_scalar_form(dtype, step):
    x = np.random.default_rng(1).normal(0, 3, 1000).astype(dtype)[::step]
    expected = sum(gelu_ufunc.silu(x).tolist())  # in the same order
    assert gelu_in_cython.sum_of_silu(x) == expected


@pytest.mark.parametrize("x", [-1.0, 0.0, 2.5, -np.inf])
def test_derivative(x):
    assert gelu_in_cython.derivative(x) == gelu_ufunc.gelu_grad(x)
