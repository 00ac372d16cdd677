/* GELU, sigmoid form: f(x) = x sigma(1.702 x). */
#ifndef GELU_GELU_SIGMOID_H
#define GELU_GELU_SIGMOID_H

#include "logistic.h"
#include "table_core.h"

/* ---- tails, float32 */

/* 1.702 a - one, to twice the precision. */
GELU_INLINE vf32 gelu_sigmoid_v_f32(vf32 a, float one, vf32 *low)
{
    const vf32 scale = f32_set(SIGMOID_SCALE_HIGH_F32), subtrahend = f32_set(one);
    vf32 high = f32_fms(a, scale, subtrahend);
    vf32 rest = f32_sub(f32_fms(a, scale, high), subtrahend);
    *low = f32_fma(a, f32_set(SIGMOID_SCALE_LOW_F32), rest);
    return high;
}

GELU_INLINE vf32 gelu_sigmoid_tail_f32(vf32 a)
{
    vf32 low, high = gelu_sigmoid_v_f32(a, 0.0f, &low);
    return logistic_tail_f32(a, exp_minus_f32(high, low));
}

GELU_INLINE vf32 gelu_sigmoid_grad_tail_f32(vf32 a)
{
    vf32 low, high = gelu_sigmoid_v_f32(a, 0.0f, &low);
    exp_f32 e = exp_minus_f32(high, low);
    high = gelu_sigmoid_v_f32(a, 1.0f, &low);
    return logistic_grad_tail_f32(e, high, low);
}

/* ---- tails, float64 */

GELU_INLINE pair_f64 gelu_sigmoid_v_f64(vf64 a)
{
    const pair_f64 scale = {f64_set(SIGMOID_SCALE_HIGH_F64), f64_set(SIGMOID_SCALE_LOW_F64)};
    return multiple_f64(scale, a);
}

GELU_INLINE vf64 gelu_sigmoid_tail_f64(vf64 a)
{
    pair_f64 v = gelu_sigmoid_v_f64(a);
    return logistic_value_f64(a, exp_minus_f64(v.high, v.low));
}

GELU_INLINE vf64 gelu_sigmoid_grad_tail_f64(vf64 a)
{
    pair_f64 v = gelu_sigmoid_v_f64(a);
    return logistic_grad_f64(exp_minus_f64(v.high, v.low), v);
}

/* With the ends of the tails, float32 and float64: h is less than half the smallest number there. */
DEFINE_BY_TABLES(gelu_sigmoid, value, 64.0f, 448.0)           /* h(63.6), h(441.4) */
DEFINE_BY_TABLES(gelu_sigmoid_grad, derivative, 64.0f, 448.0) /* |D(63.9)|, |D(441.7)| */

#endif
