/* swish(x, beta) = x sigma(beta x) = silu(beta x)/beta, from silu(v), v being beta x rounded.

   Let beta x = v + l, s = silu(v), sigma = s/v. Then silu(v + l) = s + c to twice the precision, with
   c = s l (1/v + 1 - sigma), and for q = x sigma, which is rounded several times,

     swish = q + (s - q beta + c)/beta,    1/beta = x/v,

   where s - q beta is known exactly: one rounding beside the error of s. */
#ifndef GELU_SWISH_H
#define GELU_SWISH_H

#define SWISH_TINY_F32 0x1p-30f
#define SWISH_TINY_F64 0x1p-60
#define SWISH_HUGE_F32 104.0f /* e^-104 < 2^-150 */
#define SWISH_HUGE_F64 746.0  /* e^-746 < 2^-1075 */

#define W 32
#include "swish_width.h"
#define W 64
#include "swish_width.h"

GELU_INLINE vf32 swish_f32(vf32 x, vf32 beta, vf32 s)
{
    return swish_ends_f32(x, beta, swish_core_f32(x, beta, s));
}

/* A huge factor is made smaller, and the other one larger, by a power of two: exact, and
   f64_two_prod takes them. */
GELU_INLINE vf64 swish_f64(vf64 x, vf64 beta, vf64 s)
{
    const vi64 sign = i64_set(SIGN_BIT_64);
    const vf64 one = f64_set(1), limit = f64_set(0x1p900);
    vm64 x_is_small = f64_lt(i64_float(i64_andnot(sign, f64_bits(x))), limit);
    vm64 beta_is_small = f64_lt(i64_float(i64_andnot(sign, f64_bits(beta))), limit);
    vf64 down = f64_select(x_is_small, one, f64_set(0x1p-200));
    vf64 up = f64_select(x_is_small, one, f64_set(0x1p200));
    down = f64_select(beta_is_small, down, f64_set(0x1p200));
    up = f64_select(beta_is_small, up, f64_set(0x1p-200));
    vf64 core = swish_core_f64(f64_mul(x, down), f64_mul(beta, up), s);
    return swish_ends_f64(x, beta, f64_mul(core, up));
}

#endif
