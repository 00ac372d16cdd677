/* f(x) for float32 up to the tail: 16 polynomials, their coefficients looked up in registers. The
   fast path of every function. The tables were fitted to this order of operations. */
#ifndef GELU_TABLE_CORE_H
#define GELU_TABLE_CORE_H

#include "finish.h"
#include "segments.h"

/* h(a), 0 < a <= edge. */
GELU_INLINE vf32 table_core_f32(vf32 a, const f32_segments *s)
{
    const vf32 to_integer = f32_set(0x1.8p23f);
    vf32 map = f32_fma(a, f32_set(s->scale), f32_set(s->slope));
    vf32 segment = f32_round(f32_fma(a, map, to_integer));
    vi32 i = f32_bits(segment);
    vf32 t = f32_sub(a, f32_lookup(&s->center, i));

    const f32_table *last_row = &s->coeff[s->rows - 1];
    vf32 last = f32_lookup(last_row, i), packed = i32_float(i32_shl(i32_lookup(last_row, i), 16));
    vf32 p = f32_fma(packed, t, last);
    for (int k = s->rows - 2; k >= 0; k--)
        p = f32_fma(p, t, f32_lookup(&s->coeff[k], i));
    vf32 h = f32_fma(t, p, f32_lookup(&s->value, i));

    vm32 anchored = f32_eq(segment, f32_set(0x1.8p23f + (float)s->anchor));
    return f32_fma(t, f32_keep(anchored, f32_set(s->anchor_slope)), h);
}

GELU_INLINE vf32 table_value_f32(vf32 x, const f32_segments *s, vm32 *ordinary)
{
    vi32 magnitude = magnitude_f32(x);
    vf32 a = clamp_f32(magnitude, TINY_F32, s->edge);
    *ordinary = i32_eq(f32_bits(a), magnitude);
    return value_f32(x, table_core_f32(a, s));
}

/* Here |x| < TINY is nothing special: the derivative is 1/2. */
GELU_INLINE vf32 table_derivative_f32(vf32 x, const f32_segments *s, vm32 *ordinary)
{
    vi32 magnitude = magnitude_f32(x), edge = f32_bits(f32_set(s->edge));
    *ordinary = i32_eq(i32_umin(magnitude, edge), magnitude);
    vf32 a = clamp_f32(magnitude, TINY_F32, s->edge);
    return derivative_f32(x, table_core_f32(a, s));
}

#endif
