/* f(x) up to the tail: the fast path of every function. float32: 16 polynomials, their coefficients
   looked up in registers. float64: hundreds, in memory, for so many numbers fit no registers. The tables
   were fitted to these orders of operations. */
#ifndef GELU_TABLE_CORE_H
#define GELU_TABLE_CORE_H

#include "finish.h"
#include "float64_rows.h"
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

/* Which numbers are ordinary: not in a tail, NaN, or for values and odd functions below TINY; and f(x)
   for them. */

GELU_INLINE vf32 clamp_to_table_f32(vf32 x, const f32_segments *s)
{
    return clamp_f32(magnitude_f32(x), TINY_F32, s->edge);
}

GELU_INLINE vm32 ordinary_value_f32(vf32 x, const f32_segments *s)
{
    return i32_eq(f32_bits(clamp_to_table_f32(x, s)), magnitude_f32(x));
}
GELU_INLINE vf32 table_value_f32(vf32 x, const f32_segments *s)
{
    return value_f32(x, table_core_f32(clamp_to_table_f32(x, s), s));
}

GELU_INLINE vm32 ordinary_derivative_f32(vf32 x, const f32_segments *s)
{
    vi32 beyond = i32_add(f32_bits(f32_set(s->edge)), i32_set(1));
    return i32_gt(beyond, magnitude_f32(x));
}
GELU_INLINE vf32 table_derivative_f32(vf32 x, const f32_segments *s)
{
    return derivative_f32(x, table_core_f32(clamp_to_table_f32(x, s), s));
}

/* Where the table ends an odd function is 1 from there on. */
GELU_INLINE vm32 ordinary_odd_f32(vf32 x, const f32_segments *s)
{
    (void)s;
    vi32 magnitude = magnitude_f32(x);
    return i32_eq(f32_bits(clamp_f32(magnitude, TINY_F32, INFINITY)), magnitude);
}
GELU_INLINE vf32 table_odd_f32(vf32 x, const f32_segments *s)
{
    return odd_f32(x, table_core_f32(clamp_to_table_f32(x, s), s));
}

/* ---- float64

   In two steps. Kernels take the first for a block of numbers, and the second after it: rows are
   loaded one by one, by offsets that must be in memory, and waiting for a store just made takes longer
   than everything else. */

GELU_INLINE vf64 clamp_to_rows_f64(vf64 x, const f64_rows *s)
{
    return clamp_f64(magnitude_f64(x), TINY_F64, s->end);
}

GELU_INLINE vi64 locate_row_f64(vf64 x, const f64_rows *s)
{
    vf64 a = clamp_to_rows_f64(x, s);
    vf64 map = f64_fma(a, f64_set(s->scale), f64_set(s->slope));
    vi64 i = i64_and(f64_bits(f64_fma(a, map, f64_set(0x1.8p52))), i64_set(1023));
    return i64_add(i64_shl(i, 3), i64_shl(i, 1)); /* ROW_LENGTH_F64 i */
}

/* h(a), 0 < a <= end. */
GELU_INLINE vf64 row_core_f64(vf64 a, const f64_rows *s, const uint32_t *offset)
{
    const vrow64 row = {s->row[0], offset};
    vf64 value, center = f64_row_pair(row, 0, &value);
    vf64 t = f64_sub(a, center);
    vf64 odd, even = f64_row_pair(row, 4, &odd);
    vf64 p = f64_fma(odd, t, even);
    for (int k = 3; k >= 1; k--) {
        even = f64_row_pair(row, k, &odd);
        p = f64_fma(f64_fma(p, t, odd), t, even);
    }
    vf64 h = f64_fma(t, p, value);

    vm64 anchored = f64_eq(center, f64_set(s->anchor));
    return f64_fma(t, f64_keep(anchored, f64_set(s->anchor_slope)), h);
}

GELU_INLINE vm64 ordinary_value_f64(vf64 x, const f64_rows *s)
{
    return i64_eq(f64_bits(clamp_to_rows_f64(x, s)), magnitude_f64(x));
}
GELU_INLINE vf64 row_value_f64(vf64 x, const f64_rows *s, const uint32_t *offset)
{
    return value_f64(x, row_core_f64(clamp_to_rows_f64(x, s), s, offset));
}

GELU_INLINE vm64 ordinary_derivative_f64(vf64 x, const f64_rows *s)
{
    vi64 beyond = i64_add(f64_bits(f64_set(s->end)), i64_set(1));
    return i64_gt(beyond, magnitude_f64(x));
}
GELU_INLINE vf64 row_derivative_f64(vf64 x, const f64_rows *s, const uint32_t *offset)
{
    return derivative_f64(x, row_core_f64(clamp_to_rows_f64(x, s), s, offset));
}

GELU_INLINE vm64 ordinary_odd_f64(vf64 x, const f64_rows *s)
{
    (void)s;
    vi64 magnitude = magnitude_f64(x);
    return i64_eq(f64_bits(clamp_f64(magnitude, TINY_F64, INFINITY)), magnitude);
}
GELU_INLINE vf64 row_odd_f64(vf64 x, const f64_rows *s, const uint32_t *offset)
{
    return odd_f64(x, row_core_f64(clamp_to_rows_f64(x, s), s, offset));
}

/* What kernels.c expects of f, from its tables f_segments_f32 and f_rows_f64; kind: value, derivative
   or odd. */
#define DEFINE_BY_TABLES(f, kind)                                                                  \
    GELU_INLINE vm32 f##_ordinary_f32(vf32 x)                                                      \
    {                                                                                              \
        return ordinary_##kind##_f32(x, &f##_segments_f32);                                        \
    }                                                                                              \
    GELU_INLINE vf32 f##_fast_f32(vf32 x) { return table_##kind##_f32(x, &f##_segments_f32); }     \
                                                                                                   \
    GELU_INLINE vm64 f##_ordinary_f64(vf64 x) { return ordinary_##kind##_f64(x, &f##_rows_f64); }  \
    GELU_INLINE vi64 f##_locate_f64(vf64 x) { return locate_row_f64(x, &f##_rows_f64); }           \
    GELU_INLINE vf64 f##_fast_f64(vf64 x, const uint32_t *offset)                                  \
    {                                                                                              \
        return row_##kind##_f64(x, &f##_rows_f64, offset);                                         \
    }

#endif
