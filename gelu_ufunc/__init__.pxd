# For Cython: cimport gelu_ufunc. Written by src/public_api.py from src/registry.h: do not edit.
# Nothing need be linked: Cython asks the imported package for the functions' addresses.

from cython cimport floating
from libc.stdint cimport uint16_t

# ---- arrays: include/gelu_ufunc.h explains them

cdef void gelu_f16(const uint16_t *x, uint16_t *y, size_t n) noexcept nogil
cdef void gelu_bf16(const uint16_t *x, uint16_t *y, size_t n) noexcept nogil
cdef void gelu_f32(const float *x, float *y, size_t n) noexcept nogil
cdef void gelu_f64(const double *x, double *y, size_t n) noexcept nogil

cdef void gelu_grad_f16(const uint16_t *x, uint16_t *y, size_t n) noexcept nogil
cdef void gelu_grad_bf16(const uint16_t *x, uint16_t *y, size_t n) noexcept nogil
cdef void gelu_grad_f32(const float *x, float *y, size_t n) noexcept nogil
cdef void gelu_grad_f64(const double *x, double *y, size_t n) noexcept nogil

cdef void gelu_tanh_f16(const uint16_t *x, uint16_t *y, size_t n) noexcept nogil
cdef void gelu_tanh_bf16(const uint16_t *x, uint16_t *y, size_t n) noexcept nogil
cdef void gelu_tanh_f32(const float *x, float *y, size_t n) noexcept nogil
cdef void gelu_tanh_f64(const double *x, double *y, size_t n) noexcept nogil

cdef void gelu_tanh_grad_f16(const uint16_t *x, uint16_t *y, size_t n) noexcept nogil
cdef void gelu_tanh_grad_bf16(const uint16_t *x, uint16_t *y, size_t n) noexcept nogil
cdef void gelu_tanh_grad_f32(const float *x, float *y, size_t n) noexcept nogil
cdef void gelu_tanh_grad_f64(const double *x, double *y, size_t n) noexcept nogil

cdef void gelu_sigmoid_f16(const uint16_t *x, uint16_t *y, size_t n) noexcept nogil
cdef void gelu_sigmoid_bf16(const uint16_t *x, uint16_t *y, size_t n) noexcept nogil
cdef void gelu_sigmoid_f32(const float *x, float *y, size_t n) noexcept nogil
cdef void gelu_sigmoid_f64(const double *x, double *y, size_t n) noexcept nogil

cdef void gelu_sigmoid_grad_f16(const uint16_t *x, uint16_t *y, size_t n) noexcept nogil
cdef void gelu_sigmoid_grad_bf16(const uint16_t *x, uint16_t *y, size_t n) noexcept nogil
cdef void gelu_sigmoid_grad_f32(const float *x, float *y, size_t n) noexcept nogil
cdef void gelu_sigmoid_grad_f64(const double *x, double *y, size_t n) noexcept nogil

cdef void gelu_silu_f16(const uint16_t *x, uint16_t *y, size_t n) noexcept nogil
cdef void gelu_silu_bf16(const uint16_t *x, uint16_t *y, size_t n) noexcept nogil
cdef void gelu_silu_f32(const float *x, float *y, size_t n) noexcept nogil
cdef void gelu_silu_f64(const double *x, double *y, size_t n) noexcept nogil

cdef void gelu_silu_grad_f16(const uint16_t *x, uint16_t *y, size_t n) noexcept nogil
cdef void gelu_silu_grad_bf16(const uint16_t *x, uint16_t *y, size_t n) noexcept nogil
cdef void gelu_silu_grad_f32(const float *x, float *y, size_t n) noexcept nogil
cdef void gelu_silu_grad_f64(const double *x, double *y, size_t n) noexcept nogil

cdef void gelu_erf_f16(const uint16_t *x, uint16_t *y, size_t n) noexcept nogil
cdef void gelu_erf_bf16(const uint16_t *x, uint16_t *y, size_t n) noexcept nogil
cdef void gelu_erf_f32(const float *x, float *y, size_t n) noexcept nogil
cdef void gelu_erf_f64(const double *x, double *y, size_t n) noexcept nogil

# ---- one number, float or double

cdef inline floating gelu(floating x) noexcept nogil:
    cdef floating y
    if floating is float:
        gelu_f32(&x, &y, 1)
    else:
        gelu_f64(&x, &y, 1)
    return y


cdef inline floating gelu_grad(floating x) noexcept nogil:
    cdef floating y
    if floating is float:
        gelu_grad_f32(&x, &y, 1)
    else:
        gelu_grad_f64(&x, &y, 1)
    return y


cdef inline floating gelu_tanh(floating x) noexcept nogil:
    cdef floating y
    if floating is float:
        gelu_tanh_f32(&x, &y, 1)
    else:
        gelu_tanh_f64(&x, &y, 1)
    return y


cdef inline floating gelu_tanh_grad(floating x) noexcept nogil:
    cdef floating y
    if floating is float:
        gelu_tanh_grad_f32(&x, &y, 1)
    else:
        gelu_tanh_grad_f64(&x, &y, 1)
    return y


cdef inline floating gelu_sigmoid(floating x) noexcept nogil:
    cdef floating y
    if floating is float:
        gelu_sigmoid_f32(&x, &y, 1)
    else:
        gelu_sigmoid_f64(&x, &y, 1)
    return y


cdef inline floating gelu_sigmoid_grad(floating x) noexcept nogil:
    cdef floating y
    if floating is float:
        gelu_sigmoid_grad_f32(&x, &y, 1)
    else:
        gelu_sigmoid_grad_f64(&x, &y, 1)
    return y


cdef inline floating silu(floating x) noexcept nogil:
    cdef floating y
    if floating is float:
        gelu_silu_f32(&x, &y, 1)
    else:
        gelu_silu_f64(&x, &y, 1)
    return y


cdef inline floating silu_grad(floating x) noexcept nogil:
    cdef floating y
    if floating is float:
        gelu_silu_grad_f32(&x, &y, 1)
    else:
        gelu_silu_grad_f64(&x, &y, 1)
    return y


cdef inline floating erf(floating x) noexcept nogil:
    cdef floating y
    if floating is float:
        gelu_erf_f32(&x, &y, 1)
    else:
        gelu_erf_f64(&x, &y, 1)
    return y
