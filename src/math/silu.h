/* SiLU: f(x) = x sigma(x). */
#ifndef GELU_SILU_H
#define GELU_SILU_H

#include "logistic.h"
#include "table_core.h"

/* ---- tails, float32 */

GELU_INLINE vf32 silu_tail_f32(vf32 a)
{
    exp_f32 e = exp_minus_f32(a, f32_set(0.0f));
    return logistic_tail_f32(a, e);
}

GELU_INLINE vf32 silu_grad_tail_f32(vf32 a)
{
    const vf32 zero = f32_set(0.0f);
    exp_f32 e = exp_minus_f32(a, zero);
    vf32 a_minus_one = f32_sub(a, f32_set(1.0f)); /* exact */
    return logistic_grad_tail_f32(e, a_minus_one, zero);
}

/* ---- tails, float64 */

GELU_INLINE vf64 silu_tail_f64(vf64 a)
{
    exp_f64 e = exp_minus_f64(a, f64_set(0.0));
    return logistic_value_f64(a, e);
}

GELU_INLINE vf64 silu_grad_tail_f64(vf64 a)
{
    const vf64 zero = f64_set(0.0);
    exp_f64 e = exp_minus_f64(a, zero);
    return logistic_grad_f64(e, (pair_f64){a, zero});
}

/* With the ends of the tails, float32 and float64: h is less than half the smallest number there. */
DEFINE_BY_TABLES(silu, value, 109.5f, 760.0)           /* h(108.7), h(751.8) */
DEFINE_BY_TABLES(silu_grad, derivative, 109.5f, 760.0) /* |D(108.7)|, |D(751.8)| */

#endif
