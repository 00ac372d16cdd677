/* SiLU: f(x) = x sigma(x). */
#ifndef GELU_SILU_H
#define GELU_SILU_H

#include "logistic.h"
#include "table_core.h"

DEFINE_BY_TABLES(silu, value)
DEFINE_BY_TABLES(silu_grad, derivative)

/* ---- tails, float32 */

#define SILU_END_F32 109.5f /* h(108.7), |D(108.7)| < 2^-150: 0 from here on */

GELU_INLINE vf32 silu_special_f32(vf32 x)
{
    vf32 a = clamp_f32(magnitude_f32(x), silu_segments_f32.edge, SILU_END_F32);
    exp_f32 e = exp_minus_f32(a, f32_set(0.0f));
    return special_value_f32(x, logistic_tail_f32(a, e));
}

GELU_INLINE vf32 silu_grad_special_f32(vf32 x)
{
    const vf32 zero = f32_set(0.0f);
    vf32 a = clamp_f32(magnitude_f32(x), silu_grad_segments_f32.edge, SILU_END_F32);
    exp_f32 e = exp_minus_f32(a, zero);
    vf32 a_minus_one = f32_sub(a, f32_set(1.0f)); /* exact */
    return special_derivative_f32(x, logistic_grad_tail_f32(e, a_minus_one, zero));
}

/* ---- tails, float64 */

#define SILU_END_F64 760.0 /* h(751.8), |D(751.8)| < 2^-1075: 0 from here on */

GELU_INLINE vf64 silu_special_f64(vf64 x)
{
    vf64 a = clamp_f64(magnitude_f64(x), silu_rows_f64.end, SILU_END_F64);
    exp_f64 e = exp_minus_f64(a, f64_set(0.0));
    return special_value_f64(x, logistic_value_f64(a, e));
}

GELU_INLINE vf64 silu_grad_special_f64(vf64 x)
{
    const vf64 zero = f64_set(0.0);
    vf64 a = clamp_f64(magnitude_f64(x), silu_grad_rows_f64.end, SILU_END_F64);
    exp_f64 e = exp_minus_f64(a, zero);
    return special_derivative_f64(x, logistic_grad_f64(e, (pair_f64){a, zero}));
}

#endif
