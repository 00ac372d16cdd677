"""The fused layer against the separate calls."""

import fused_norm
import numpy as np
import pytest

import gelu_ufunc

rng = np.random.default_rng(1)
GAIN, BIAS = rng.normal(1, 0.3, 384), rng.normal(0, 0.3, 384)


@pytest.mark.parametrize("shape", [(384,), (7, 384), (2, 5, 384), (0, 384)])
def test_same_bits_as_separate_calls(shape):
    x = rng.normal(0, 3, shape).astype(np.float32)
    separate = gelu_ufunc.gelu(fused_norm.layer_norm(x, GAIN, BIAS))
    fused = fused_norm.layer_norm_gelu(x, GAIN, BIAS)
    assert fused.shape == shape
    assert fused.tobytes() == separate.tobytes()


def test_the_formula():
    x = rng.normal(2, 3, (5, 384)).astype(np.float32)
    wide = x.astype(np.float64)
    scaled = (wide - wide.mean(-1, keepdims=True)) / np.sqrt(wide.var(-1, keepdims=True) + 1e-5)
    expected = gelu_ufunc.gelu(scaled * GAIN + BIAS)
    np.testing.assert_allclose(fused_norm.layer_norm_gelu(x, GAIN, BIAS), expected, atol=1e-6)


def test_wrong_lengths():
    with pytest.raises(ValueError, match="as long as"):
        fused_norm.layer_norm(np.ones((2, 3)), np.ones(4), np.ones(3))
