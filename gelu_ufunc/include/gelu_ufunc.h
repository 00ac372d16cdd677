/* The C API of gelu_ufunc. Written by src/public_api.py from src/registry.h: do not edit.

   gelu_<function>_<dtype>(x, y, n): y[i] = function(x[i]) for i < n. A function whose own name
   begins with gelu has no second gelu_: gelu_f32, gelu_grad_f32, gelu_silu_f32. The functions and
   the errors promised are those of the Python package.

   dtype: f16 and bf16 are IEEE binary16 and bfloat16 numbers, as bits in native byte order; f32
   and f64 are float and double.
   Overlap: y == x is allowed. Any other overlap of the two arrays is not.
   n may be 0: then the arrays are not touched. No alignment is needed but that of the type.
   Thread-safe. Nothing is allocated, no lock is taken, and no floating-point flag is raised but
   inexact, and invalid for a signalling NaN. The caller's rounding mode changes no result; it and
   flush-to-zero stay as they are. The first call chooses the SIMD level for this CPU.
   The first call of a function with a half type fills a table of 128 KB. */
#ifndef GELU_UFUNC_H
#define GELU_UFUNC_H

#include <stddef.h>
#include <stdint.h>

#ifndef GELU_API
#define GELU_API /* the library's own build says here how names are exported */
#endif

#ifdef __cplusplus
extern "C" {
#endif

GELU_API void gelu_f16(const uint16_t *x, uint16_t *y, size_t n);
GELU_API void gelu_bf16(const uint16_t *x, uint16_t *y, size_t n);
GELU_API void gelu_f32(const float *x, float *y, size_t n);
GELU_API void gelu_f64(const double *x, double *y, size_t n);

GELU_API void gelu_grad_f16(const uint16_t *x, uint16_t *y, size_t n);
GELU_API void gelu_grad_bf16(const uint16_t *x, uint16_t *y, size_t n);
GELU_API void gelu_grad_f32(const float *x, float *y, size_t n);
GELU_API void gelu_grad_f64(const double *x, double *y, size_t n);

GELU_API void gelu_tanh_f16(const uint16_t *x, uint16_t *y, size_t n);
GELU_API void gelu_tanh_bf16(const uint16_t *x, uint16_t *y, size_t n);
GELU_API void gelu_tanh_f32(const float *x, float *y, size_t n);
GELU_API void gelu_tanh_f64(const double *x, double *y, size_t n);

GELU_API void gelu_tanh_grad_f16(const uint16_t *x, uint16_t *y, size_t n);
GELU_API void gelu_tanh_grad_bf16(const uint16_t *x, uint16_t *y, size_t n);
GELU_API void gelu_tanh_grad_f32(const float *x, float *y, size_t n);
GELU_API void gelu_tanh_grad_f64(const double *x, double *y, size_t n);

GELU_API void gelu_sigmoid_f16(const uint16_t *x, uint16_t *y, size_t n);
GELU_API void gelu_sigmoid_bf16(const uint16_t *x, uint16_t *y, size_t n);
GELU_API void gelu_sigmoid_f32(const float *x, float *y, size_t n);
GELU_API void gelu_sigmoid_f64(const double *x, double *y, size_t n);

GELU_API void gelu_sigmoid_grad_f16(const uint16_t *x, uint16_t *y, size_t n);
GELU_API void gelu_sigmoid_grad_bf16(const uint16_t *x, uint16_t *y, size_t n);
GELU_API void gelu_sigmoid_grad_f32(const float *x, float *y, size_t n);
GELU_API void gelu_sigmoid_grad_f64(const double *x, double *y, size_t n);

GELU_API void gelu_silu_f16(const uint16_t *x, uint16_t *y, size_t n);
GELU_API void gelu_silu_bf16(const uint16_t *x, uint16_t *y, size_t n);
GELU_API void gelu_silu_f32(const float *x, float *y, size_t n);
GELU_API void gelu_silu_f64(const double *x, double *y, size_t n);

GELU_API void gelu_silu_grad_f16(const uint16_t *x, uint16_t *y, size_t n);
GELU_API void gelu_silu_grad_bf16(const uint16_t *x, uint16_t *y, size_t n);
GELU_API void gelu_silu_grad_f32(const float *x, float *y, size_t n);
GELU_API void gelu_silu_grad_f64(const double *x, double *y, size_t n);

GELU_API void gelu_erf_f16(const uint16_t *x, uint16_t *y, size_t n);
GELU_API void gelu_erf_bf16(const uint16_t *x, uint16_t *y, size_t n);
GELU_API void gelu_erf_f32(const float *x, float *y, size_t n);
GELU_API void gelu_erf_f64(const double *x, double *y, size_t n);

#ifdef __cplusplus
}
#endif

#endif
