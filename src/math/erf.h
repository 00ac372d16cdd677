/* The error function, odd: h(a) = erf(a), 1 to working precision where the tables end. */
#ifndef GELU_ERF_H
#define GELU_ERF_H

#include "float32_constants.h"
#include "float64_constants.h"
#include "table_core.h"

/* 2 a/sqrt(pi) for a <= TINY: scaled up, so that the product does not underflow, and down. */

GELU_INLINE vf32 erf_tail_f32(vf32 a)
{
    a = f32_mul(a, f32_set(0x1p100f));
    vf32 low = f32_mul(a, f32_set(TWO_INV_SQRT_PI_LOW_F32));
    vf32 h = f32_fma(a, f32_set(TWO_INV_SQRT_PI_HIGH_F32), low);
    return f32_scale(h, f32_set(-100.0f));
}

GELU_INLINE vf64 erf_tail_f64(vf64 a)
{
    a = f64_mul(a, f64_set(0x1p500));
    vf64 low = f64_mul(a, f64_set(TWO_INV_SQRT_PI_LOW_F64));
    vf64 h = f64_fma(a, f64_set(TWO_INV_SQRT_PI_HIGH_F64), low);
    return f64_scale(h, f64_set(-500.0));
}

DEFINE_BY_TABLES(erf, odd, TINY_F32, TINY_F64)

#endif
