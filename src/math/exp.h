/* exp(-z) for z = hi + lo >= 0, to more than working precision, down to where it vanishes. */
#ifndef GELU_EXP_H
#define GELU_EXP_H

#include "../macros.h"
#include "float32_constants.h"
#include "float64_constants.h"
#include "pair.h"

#define W 32
#include "exp_width.h"
#define W 64
#include "exp_width.h"

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
