/* GELU, tanh form: f(x) = x/2 (1 + tanh(v/2)) = x sigma(v), v = K1 x + K3 x^3, K1 = 2 sqrt(2/pi),
   K3 = 0.044715 K1. Written as a sigmoid, nothing overflows and nothing cancels. */
#ifndef GELU_GELU_TANH_H
#define GELU_GELU_TANH_H

#include "logistic.h"
#include "table_core.h"

/* ---- tails, float32 */

/* v(a) = a (K1 + K3 a^2) and a v'(a) = a (K1 + 3 K3 a^2), to twice the precision. */
typedef struct {
    vf32 high, low;        /* v */
    vf32 cubic, cubic_low; /* K3 a^2 */
} gelu_tanh_argument_f32;

/* a >= 4.73, where K3 a^2 > K1: the sum's error is then one subtraction. */
GELU_INLINE gelu_tanh_argument_f32 gelu_tanh_v_f32(vf32 a)
{
    const vf32 k1 = f32_set(K1_HIGH_F32), k3 = f32_set(K3_HIGH_F32);
    vf32 square_low, square = f32_two_prod(a, a, &square_low);
    vf32 cubic_low, cubic = f32_two_prod(square, k3, &cubic_low);
    cubic_low = f32_fma(square_low, k3, cubic_low);
    cubic_low = f32_fma(square, f32_set(K3_LOW_F32), cubic_low);
    vf32 sum = f32_add(cubic, k1);
    vf32 sum_low = f32_sub(k1, f32_sub(sum, cubic));
    sum_low = f32_add(sum_low, f32_add(cubic_low, f32_set(K1_LOW_F32)));
    vf32 low, high = f32_two_prod(a, sum, &low);
    return (gelu_tanh_argument_f32){high, f32_fma(a, sum_low, low), cubic, cubic_low};
}

GELU_INLINE vf32 gelu_tanh_tail_f32(vf32 a)
{
    gelu_tanh_argument_f32 v = gelu_tanh_v_f32(a);
    return logistic_tail_f32(a, exp_minus_f32(v.high, v.low));
}

GELU_INLINE vf32 gelu_tanh_grad_tail_f32(vf32 a)
{
    const vf32 k1 = f32_set(K1_HIGH_F32), one = f32_set(1.0f), three = f32_set(3.0f);
    gelu_tanh_argument_f32 v = gelu_tanh_v_f32(a);
    /* v' = sum + sum_low, a v' - 1 = high + low */
    vf32 sum = f32_fma(three, v.cubic, k1);
    vf32 sum_low = f32_sub(k1, f32_fnma(three, v.cubic, sum));
    sum_low = f32_add(sum_low, f32_fma(three, v.cubic_low, f32_set(K1_LOW_F32)));
    vf32 high = f32_fms(a, sum, one);
    vf32 low = f32_fma(a, sum_low, f32_sub(f32_fms(a, sum, high), one));
    return logistic_grad_tail_f32(exp_minus_f32(v.high, v.low), high, low);
}

/* ---- tails, float64 */

GELU_INLINE pair_f64 k3_square_f64(vf64 a)
{
    const pair_f64 k3 = {f64_set(K3_HIGH_F64), f64_set(K3_LOW_F64)};
    vf64 low, high = f64_two_prod(a, a, &low);
    return product_f64(k3, (pair_f64){high, low});
}

/* a (K1 + b): v for b = K3 a^2, a v' for b = 3 K3 a^2. */
GELU_INLINE pair_f64 a_times_k1_plus_f64(vf64 a, pair_f64 b)
{
    pair_f64 sum = two_sum_f64(b.high, f64_set(K1_HIGH_F64));
    sum.low = f64_add(sum.low, f64_add(b.low, f64_set(K1_LOW_F64)));
    return multiple_f64(sum, a);
}

GELU_INLINE pair_f64 triple_f64(pair_f64 b)
{
    pair_f64 sum = fast_two_sum_f64(f64_add(b.high, b.high), b.high);
    return (pair_f64){sum.high, f64_fma(f64_set(3.0), b.low, sum.low)};
}

GELU_INLINE vf64 gelu_tanh_tail_f64(vf64 a)
{
    pair_f64 v = a_times_k1_plus_f64(a, k3_square_f64(a));
    return logistic_value_f64(a, exp_minus_f64(v.high, v.low));
}

GELU_INLINE vf64 gelu_tanh_grad_tail_f64(vf64 a)
{
    pair_f64 square = k3_square_f64(a), v = a_times_k1_plus_f64(a, square);
    pair_f64 slope = a_times_k1_plus_f64(a, triple_f64(square));
    return logistic_grad_f64(exp_minus_f64(v.high, v.low), slope);
}

/* With the ends of the tails, float32 and float64: h is less than half the smallest number there. */
DEFINE_BY_TABLES(gelu_tanh, value, 11.0f, 22.0)           /* h(10.78), h(21.55) */
DEFINE_BY_TABLES(gelu_tanh_grad, derivative, 11.0f, 22.0) /* |D(10.9)|, |D(21.6)| */

#endif
