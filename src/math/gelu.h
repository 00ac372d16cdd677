/* GELU, exact: f(x) = x Phi(x), h(a) = a Q(a); f'(x) = Phi(x) + x phi(x), D(a) = Q(a) - a phi(a).
   Q = 1 - Phi = erfc(a/sqrt 2)/2 and phi are the normal distribution's upper tail and density.

   Tails: both are exp(-a^2/2) times a slowly varying factor (Mills' ratio Q(a)/phi(a)), which is a
   polynomial. a^2/2 is kept to twice the working precision: an error in it counts a^2 fold. */
#ifndef GELU_GELU_H
#define GELU_GELU_H

#include "exp.h"
#include "finish.h"
#include "table_core.h"

/* ---- tails, float32 */

GELU_INLINE exp_f32 exp_minus_half_square_f32(vf32 a)
{
    vf32 low, high = f32_two_prod(f32_mul(a, f32_set(0.5f)), a, &low);
    return exp_minus_f32(high, low);
}

GELU_INLINE vf32 gelu_tail_f32(vf32 a)
{
    exp_f32 e = exp_minus_half_square_f32(a);
    vf32 factor = polynomial_f32(f32_sub(a, f32_set(9.0f)), MILLS_F32, COUNT(MILLS_F32));
    vf32 h = exp_product_f32(e, f32_set(INV_SQRT_2PI_F32), factor);
    return f32_scale(h, e.n);
}

GELU_INLINE vf32 gelu_grad_tail_f32(vf32 a)
{
    exp_f32 e = exp_minus_half_square_f32(a);
    vf32 factor = polynomial_f32(f32_sub(a, f32_set(9.0f)), MILLS_GRAD_F32, COUNT(MILLS_GRAD_F32));
    vf32 minus_a = f32_sub(f32_set(0.0f), a);
    vf32 low, high = f32_two_prod(minus_a, f32_set(INV_SQRT_2PI_F32), &low);
    vf32 h = exp_product_f32(e, high, f32_fma(minus_a, factor, low));
    return f32_scale(h, e.n);
}

/* ---- tails, float64 */

GELU_INLINE exp_f64 exp_minus_half_square_f64(vf64 a)
{
    vf64 low, high = f64_two_prod(f64_mul(a, f64_set(0.5)), a, &low);
    return exp_minus_f64(high, low);
}

/* The tails' slowly varying factor, by rising power of w = 1/(a^2 + 3). */
GELU_INLINE pair_f64 mills_polynomial_f64(vf64 a, pair_f64 constant, const double *rest, int count)
{
    vf64 w = f64_div(f64_set(1.0), f64_fma(a, a, f64_set(3.0)));
    constant.low = f64_fma(w, polynomial_f64(w, rest, count), constant.low);
    return constant;
}

GELU_INLINE vf64 gelu_tail_f64(vf64 a)
{
    const pair_f64 constant = {f64_set(MILLS_HIGH_F64), f64_set(MILLS_LOW_F64)};
    exp_f64 e = exp_minus_half_square_f64(a);
    pair_f64 factor = mills_polynomial_f64(a, constant, MILLS_F64, COUNT(MILLS_F64));
    vf64 h = rounded_f64(exp_product_f64(e, factor));
    return f64_scale(h, e.n);
}

GELU_INLINE vf64 gelu_grad_tail_f64(vf64 a)
{
    const pair_f64 constant = {f64_set(MILLS_GRAD_HIGH_F64), f64_set(MILLS_GRAD_LOW_F64)};
    exp_f64 e = exp_minus_half_square_f64(a);
    pair_f64 factor = mills_polynomial_f64(a, constant, MILLS_GRAD_F64, COUNT(MILLS_GRAD_F64));
    factor = multiple_f64(factor, f64_sub(f64_set(0.0), a));
    vf64 h = rounded_f64(exp_product_f64(e, factor));
    return f64_scale(h, e.n);
}

/* With the ends of the tails, float32 and float64: h is less than half the smallest number there. */
DEFINE_BY_TABLES(gelu, value, 14.5f, 39.0)            /* h(14.36) < 2^-150, h(38.6) < 2^-1075 */
DEFINE_BY_TABLES(gelu_grad, derivative, 14.75f, 39.0) /* |D(14.55)|, |D(38.7)| */

#endif
