"""Typed uses, for mypy and pyright; test_typing.py runs those that are no errors."""

from collections.abc import Callable
from typing import Any, Literal, assert_type

import numpy as np
from numpy.typing import NDArray

import gelu_ufunc
from gelu_ufunc import bias_gelu, erf, gelu, gelu_grad, silu, simd, swiglu, swish, variants


def uses(
    f16: NDArray[np.float16],
    f32: NDArray[np.float32],
    f64: NDArray[np.float64],
    i8: NDArray[np.int8],
    i16: NDArray[np.int16],
    i64: NDArray[np.int64],
) -> None:
    # ---- an array gives an array of its dtype, an integer one of the dtype that NumPy chooses
    assert_type(gelu(f16), NDArray[np.float16])
    assert_type(gelu_grad(f32), NDArray[np.float32])
    assert_type(silu(f64), NDArray[np.float64])
    assert_type(erf(i8), NDArray[np.float16])
    assert_type(erf(i16), NDArray[np.float32])
    assert_type(erf(i64), NDArray[np.float64])
    assert_type(gelu(f32, where=True, casting="same_kind"), NDArray[np.float32])

    # ---- scalars
    assert_type(gelu(np.float16(1)), np.float16)
    assert_type(gelu(np.float32(1)), np.float32)
    assert_type(gelu(np.float64(1)), np.float64)
    assert_type(gelu(1.5), np.float64)
    assert_type(gelu(1), np.float64)
    assert_type(gelu(True), np.float16)

    # ---- two inputs: Python's numbers take the other's dtype, NumPy's do not
    assert_type(swiglu(f32, f32), NDArray[np.float32])
    assert_type(bias_gelu(f16, 2.0), NDArray[np.float16])
    assert_type(bias_gelu(f32, np.float32(2)), NDArray[np.float32])
    assert_type(bias_gelu(f32, np.float64(2)), NDArray[np.float64])
    assert_type(bias_gelu(f64, np.float64(2)), NDArray[np.float64])
    assert_type(bias_gelu(f32, True), NDArray[np.float32])
    assert_type(swiglu(f32, f64), Any)
    assert_type(swish(np.float32(1), np.float32(2)), np.float32)
    assert_type(swish(np.float32(1), 2.0), np.float32)
    assert_type(swish(np.float32(1), np.float64(2)), np.float64)
    assert_type(swish(np.float64(1), 2.0), np.float64)
    assert_type(swish(1.0, 2), np.float64)
    assert_type(swish(True, True), np.float16)
    assert_type(swish(True, 1.0), np.float64)
    assert_type(swiglu(f32, f32, out=f64), NDArray[np.float64])
    assert_type(swiglu(f32, f32, where=True, order="C"), NDArray[np.float32])

    # ---- out is returned; what dtype=, signature= and lists give is not known
    assert_type(gelu(f32, out=f32), NDArray[np.float32])
    assert_type(gelu(f32, f64), NDArray[np.float64])
    assert_type(gelu(f32, out=(f64,)), NDArray[np.float64])
    assert_type(gelu(f32, dtype=np.float64), Any)
    assert_type(gelu(f32, signature="d->d"), Any)
    assert_type(swiglu(f32, f32, signature="dd->d"), Any)
    assert_type(gelu(f32, out=f64, signature="d->d"), NDArray[np.float64])
    assert_type(gelu([1.0, 2.0]), Any)

    # ---- the ufunc
    assert_type(gelu.nin, Literal[1])
    assert_type(gelu.nout, Literal[1])
    assert_type(gelu.nargs, Literal[2])
    assert_type(gelu.at(f32, [0, 1]), None)
    function: Callable[[NDArray[np.float32]], NDArray[np.float32]] = gelu
    assert_type(function(f32), NDArray[np.float32])

    # ---- the rest
    assert_type(gelu_ufunc.__version__, str)
    assert_type(gelu_ufunc.get_include(), str)
    assert_type(gelu_ufunc.get_library_dir(), str)
    assert_type(gelu_ufunc.show_config(), None)
    assert_type(simd.level(), str)
    assert_type(variants.lookup("gelu", framework="jax").name, str)


def errors(f32: NDArray[np.float32]) -> None:
    """mypy and pyright warn of an ignore that is not needed."""
    gelu()  # type: ignore[call-overload]
    gelu(f32, approximate="tanh")  # type: ignore[call-overload]
    gelu(f32, where=f32 > 0, casting="sure")  # type: ignore[call-overload]
    gelu.nin = 2  # type: ignore[misc, assignment]
