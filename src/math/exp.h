/* exp(-z) for z = hi + lo >= 0, to more than working precision, down to where it vanishes. */
#ifndef GELU_EXP_H
#define GELU_EXP_H

#include "../macros.h"
#include "float32_constants.h"
#include "float64_constants.h"
#include "pair.h"

/* The polynomial with these coefficients by rising power: even and odd powers by Horner's rule each, two
   chains that a processor runs side by side. t^2 must not underflow. */
GELU_INLINE vf32 polynomial_f32(vf32 t, const float *coefficient, int count)
{
    vf32 square = f32_mul(t, t), last = f32_set(coefficient[count - 1]);
    vf32 other = f32_set(coefficient[count - 2]);
    for (int k = count - 3; k >= 0; k--) {
        vf32 next = f32_fma(last, square, f32_set(coefficient[k]));
        last = other, other = next;
    }
    return f32_fma(last, t, other);
}
GELU_INLINE vf64 polynomial_f64(vf64 t, const double *coefficient, int count)
{
    vf64 square = f64_mul(t, t), last = f64_set(coefficient[count - 1]);
    vf64 other = f64_set(coefficient[count - 2]);
    for (int k = count - 3; k >= 0; k--) {
        vf64 next = f64_fma(last, square, f64_set(coefficient[k]));
        last = other, other = next;
    }
    return f64_fma(last, t, other);
}

/* exp(-z) = (u + g) 2^n, g small beside u, n integral. */
typedef struct {
    vf32 u, g, n;
} exp_f32;

typedef struct {
    vf64 u, g, n;
} exp_f64;

/* z = r + rest - n ln 2. The high part of ln 2 has so few bits that r is exact. u = 1 - r is rounded;
   what it lost is in g, with the rest of the series. */
GELU_INLINE exp_f32 exp_minus_f32(vf32 hi, vf32 lo)
{
    const vf32 to_integer = f32_set(F32_TO_INTEGER), one = f32_set(1.0f);
    vf32 n = f32_sub(f32_round(f32_fma(hi, f32_set(-LOG2_E_F32), to_integer)), to_integer);
    vf32 r = f32_fma(n, f32_set(LN2_HIGH_F32), hi);
    vf32 rest = f32_fma(n, f32_set(LN2_LOW_F32), lo);
    vf32 u = f32_sub(one, r);
    vf32 q = polynomial_f32(r, EXP_F32, COUNT(EXP_F32));
    vf32 g = f32_fma(f32_mul(r, r), q, f32_sub(f32_sub(one, u), r));
    g = f32_fnma(rest, f32_add(u, g), g);
    return (exp_f32){u, g, n};
}

GELU_INLINE exp_f64 exp_minus_f64(vf64 hi, vf64 lo)
{
    const vf64 to_integer = f64_set(F64_TO_INTEGER), one = f64_set(1.0);
    vf64 n = f64_sub(f64_fma(hi, f64_set(-LOG2_E_F64), to_integer), to_integer);
    vf64 r = f64_fma(n, f64_set(LN2_HIGH_F64), hi);
    vf64 rest = f64_fma(n, f64_set(LN2_LOW_F64), lo);
    vf64 u = f64_sub(one, r);
    vf64 q = polynomial_f64(r, EXP_F64, COUNT(EXP_F64));
    vf64 g = f64_fma(f64_mul(r, r), q, f64_sub(f64_sub(one, u), r));
    g = f64_fnma(rest, f64_add(u, g), g);
    return (exp_f64){u, g, n};
}

/* (u + g)(high + low): in float32 rounded about once, in float64 to nearly twice the precision. */
GELU_INLINE vf32 exp_product_f32(exp_f32 e, vf32 high, vf32 low)
{
    vf32 small = f32_fma(high, e.g, f32_mul(low, f32_add(e.u, e.g)));
    return f32_fma(high, e.u, small);
}

GELU_INLINE pair_f64 exp_product_f64(exp_f64 e, pair_f64 factor)
{
    vf64 small = f64_fma(factor.high, e.g, f64_mul(factor.low, f64_add(e.u, e.g)));
    vf64 rest, main = f64_two_prod(factor.high, e.u, &rest);
    return fast_two_sum_f64(main, f64_add(rest, small));
}

#endif
