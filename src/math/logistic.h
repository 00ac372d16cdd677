/* f(x) = x sigma(v(x)) with v odd and rising, sigma(v) = 1/(1 + exp(-v)): the tanh and sigmoid forms
   of GELU, and SiLU. Each of them supplies exp(-v(a)) and a v'(a).

   h(a) = a s, D(a) = s (1 - a v' (1 - s)), s = sigma(-v) = e/(1 + e), e = exp(-v(a)) <= 1. */
#ifndef GELU_LOGISTIC_H
#define GELU_LOGISTIC_H

#include "exp.h"
#include "finish.h"

/* ---- float32, tails only: e is small, 1/(1 + e) = 1 - e to working precision */

/* e, not below 2^-40, where it stops mattering beside 1. */
GELU_INLINE vf32 exp_beside_one_f32(exp_f32 e)
{
    const vf32 least = f32_set(-40.0f);
    vf32 n = f32_select(f32_lt(e.n, least), least, e.n);
    return f32_mul(f32_add(e.u, e.g), f32_pow2(n));
}

/* h = a e (1 - e). */
GELU_INLINE vf32 logistic_tail_f32(vf32 a, exp_f32 e)
{
    vf32 correction = f32_mul(a, exp_beside_one_f32(e));
    return f32_scale(exp_product_f32(e, a, f32_sub(f32_set(0.0f), correction)), e.n);
}

/* D = -e (high + low - e (2 high + 1)), where high + low = a v' - 1. */
GELU_INLINE vf32 logistic_grad_tail_f32(exp_f32 e, vf32 high, vf32 low)
{
    vf32 twice = f32_fma(f32_set(2.0f), high, f32_set(1.0f));
    vf32 correction = f32_fnma(exp_beside_one_f32(e), twice, low);
    vf32 minus = exp_product_f32(e, high, correction);
    return f32_scale(f32_sub(f32_set(0.0f), minus), e.n);
}

/* ---- float64, tails, where e still counts beside 1: twice the working precision up to one division */

/* u + g, to twice the precision. */
GELU_INLINE pair_f64 exp_pair_f64(exp_f64 e) { return fast_two_sum_f64(e.u, e.g); }

/* 1 + (significand) 2^n, n not below -110, where e stops mattering beside 1. */
GELU_INLINE pair_f64 one_plus_exp_f64(pair_f64 significand, vf64 n)
{
    const vf64 one = f64_set(1.0), least = f64_set(-110.0);
    n = f64_select(f64_lt(n, least), least, n);
    vf64 power = f64_pow2(n);
    pair_f64 sum = fast_two_sum_f64(one, f64_mul(significand.high, power));
    return (pair_f64){sum.high, f64_fma(significand.low, power, sum.low)};
}

GELU_INLINE vf64 logistic_value_f64(vf64 a, exp_f64 e)
{
    pair_f64 significand = exp_pair_f64(e);
    pair_f64 numerator = multiple_f64(significand, a);
    return f64_scale(quotient_f64(numerator, one_plus_exp_f64(significand, e.n)), e.n);
}

/* D = e (1 + e - slope)/(1 + e)^2, slope = a v'. */
GELU_INLINE vf64 logistic_grad_f64(exp_f64 e, pair_f64 slope)
{
    pair_f64 significand = exp_pair_f64(e), denominator = one_plus_exp_f64(significand, e.n);
    pair_f64 numerator = product_f64(significand, difference_f64(denominator, slope));
    return f64_scale(quotient_f64(numerator, product_f64(denominator, denominator)), e.n);
}

#endif
