"""GELU of gelu_ufunc as a Keras 3 layer, on the NumPy and the TensorFlow backend.

Gains: the negative tail, and right limits at infinity; on the NumPy backend, where Keras makes
several passes over the data, speed too: `KERAS_BACKEND=numpy python keras_layer.py` measures it. On
TensorFlow the call leaves the graph, so that is for comparing models."""

import time

import keras
import numpy as np

import gelu_ufunc


def on_numpy(x, name):
    return getattr(gelu_ufunc, name)(x)


def on_tensorflow(x, name):
    import tensorflow as tf

    @tf.custom_gradient
    def function(x):
        def call(suffix=""):
            result = tf.numpy_function(getattr(gelu_ufunc, name + suffix), [x], x.dtype)
            return tf.ensure_shape(result, x.shape)

        return call(), lambda gradient: gradient * call("_grad")

    return function(x)


BACKENDS = {"numpy": on_numpy, "tensorflow": on_tensorflow}


@keras.saving.register_keras_serializable("gelu_ufunc")
class Gelu(keras.layers.Layer):
    """The function of that name: gelu, gelu_tanh, gelu_sigmoid or silu."""

    def __init__(self, function="gelu", **options):
        super().__init__(**options)
        if keras.backend.backend() not in BACKENDS:
            raise NotImplementedError(f"for the Keras backends {' and '.join(BACKENDS)} only")
        if not hasattr(gelu_ufunc, f"{function}_grad"):
            raise ValueError(f"gelu_ufunc has no activation {function!r}")
        self.function = function

    def call(self, x):
        return BACKENDS[keras.backend.backend()](x, self.function)

    def compute_output_shape(self, input_shape):
        return input_shape

    def get_config(self):
        return {**super().get_config(), "function": self.function}


def main():
    x = np.random.default_rng(0).normal(0, 2, (512, 3072)).astype(np.float32)
    layers = {"keras": keras.layers.Activation("gelu"), "gelu_ufunc": Gelu()}
    for name, layer in layers.items():
        times = []
        for _ in range(9):
            start = time.perf_counter()
            layer(x)
            times.append((time.perf_counter() - start) * 1e3)
        tail = np.asarray(layer(np.full((1, 64), -6, np.float32)))[0, 0]
        print(f"{name:<11} {min(times):6.2f} ms; gelu(-6) = {tail:.6e}")


if __name__ == "__main__":
    main()
