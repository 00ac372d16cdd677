/* f(x) up to the tail: the fast path of every function. float32: 16 polynomials, their coefficients
   looked up in registers. float64: hundreds, in memory, for so many numbers fit no registers. The tables
   were fitted to these orders of operations. */
#ifndef GELU_TABLE_CORE_H
#define GELU_TABLE_CORE_H

#include "finish.h"
#include "float32_tables.h"
#include "float64_rows.h"

/* Two tiers: `near` is right in the lanes whose segments f32_lookup_near reaches, with the same bits, and
   half the work on some levels. */
GELU_INLINE float edge_f32(const f32_segments *s, int near)
{
    return near && F32_NEAR_ENTRIES < 16 ? s->near_edge : s->edge;
}
GELU_INLINE vf32 entry_f32(const f32_table *table, vi32 i, int near)
{
    return near ? f32_lookup_near(table, i) : f32_lookup(table, i);
}
GELU_INLINE vi32 entry_bits_f32(const f32_table *table, vi32 i, int near)
{
    return near ? i32_lookup_near(table, i) : i32_lookup(table, i);
}

/* h(a), 0 < a <= edge. */
GELU_INLINE vf32 table_core_f32(vf32 a, const f32_segments *s, int near)
{
    vf32 map = f32_fma(a, f32_set(s->scale), f32_set(s->slope));
    vf32 segment = f32_round(f32_fma(a, map, f32_set(TO_INTEGER_32)));
    vi32 i = f32_bits(segment);
    vf32 t = f32_sub(a, entry_f32(&s->center, i, near));

    const f32_table *last_row = &s->coeff[s->rows - 1];
    vf32 last = entry_f32(last_row, i, near);
    vf32 packed = i32_float(i32_shl(entry_bits_f32(last_row, i, near), 16));
    vf32 p = f32_fma(packed, t, last);
    for (int k = s->rows - 2; k >= 0; k--)
        p = f32_fma(p, t, entry_f32(&s->coeff[k], i, near));
    vf32 h = f32_fma(t, p, entry_f32(&s->value, i, near));

    vm32 anchored = f32_eq(segment, f32_set(TO_INTEGER_32 + (float)s->anchor));
    return f32_fma_if(anchored, t, f32_set(s->anchor_slope), h);
}

/* Which numbers are ordinary, or near: not in a tail, NaN, or for values and odd functions below TINY;
   and f(x) for them. */

GELU_INLINE vm32 ordinary_value_f32(vf32 x, const f32_segments *s, int near)
{
    return within_f32(magnitude_f32(x), TINY_F32, edge_f32(s, near));
}
GELU_INLINE vf32 table_value_f32(vf32 x, const f32_segments *s, int near)
{
    vf32 a = calm_f32(magnitude_f32(x), TINY_F32, edge_f32(s, near));
    return value_f32(x, table_core_f32(a, s, near));
}

GELU_INLINE vm32 ordinary_derivative_f32(vf32 x, const f32_segments *s, int near)
{
    vi32 beyond = i32_add(f32_bits(f32_set(edge_f32(s, near))), i32_set(1));
    return i32_gt(beyond, magnitude_f32(x));
}
GELU_INLINE vf32 table_derivative_f32(vf32 x, const f32_segments *s, int near)
{
    vf32 a = calm_f32(magnitude_f32(x), TINY_F32, edge_f32(s, near));
    return derivative_f32(x, table_core_f32(a, s, near));
}

/* Where the table ends an odd function is 1 from there on. */
GELU_INLINE vm32 ordinary_odd_f32(vf32 x, const f32_segments *s, int near)
{
    float edge = edge_f32(s, near);
    return within_f32(magnitude_f32(x), TINY_F32, edge < s->edge ? edge : INFINITY);
}
GELU_INLINE vf32 table_odd_f32(vf32 x, const f32_segments *s, int near)
{
    vf32 a = clamp_f32(magnitude_f32(x), TINY_F32, edge_f32(s, near));
    return odd_f32(x, table_core_f32(a, s, near));
}

/* ---- float64

   In two steps. Kernels take the first for a block of numbers, and the second after it: rows are
   loaded one by one, by offsets that must be in memory, and waiting for a store just made takes longer
   than everything else. */

GELU_INLINE vi64 locate_row_f64(vf64 x, const f64_rows *s)
{
    vf64 a = clamp_f64(magnitude_f64(x), TINY_F64, s->end); /* an index of memory: whatever x is */
    vf64 map = f64_fma(a, f64_set(s->scale), f64_set(s->slope));
    vi64 i = i64_and(f64_bits(f64_fma(a, map, f64_set(TO_INTEGER_64))), i64_set(1023));
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
    return f64_fma_if(anchored, t, f64_set(s->anchor_slope), h);
}

GELU_INLINE vm64 ordinary_value_f64(vf64 x, const f64_rows *s)
{
    return within_f64(magnitude_f64(x), TINY_F64, s->end);
}
GELU_INLINE vf64 row_value_f64(vf64 x, const f64_rows *s, const uint32_t *offset)
{
    vf64 a = calm_f64(magnitude_f64(x), TINY_F64, s->end);
    return value_f64(x, row_core_f64(a, s, offset));
}

GELU_INLINE vm64 ordinary_derivative_f64(vf64 x, const f64_rows *s)
{
    vi64 beyond = i64_add(f64_bits(f64_set(s->end)), i64_set(1));
    return i64_gt(beyond, magnitude_f64(x));
}
GELU_INLINE vf64 row_derivative_f64(vf64 x, const f64_rows *s, const uint32_t *offset)
{
    vf64 a = calm_f64(magnitude_f64(x), TINY_F64, s->end);
    return derivative_f64(x, row_core_f64(a, s, offset));
}

GELU_INLINE vm64 ordinary_odd_f64(vf64 x, const f64_rows *s)
{
    (void)s;
    return within_f64(magnitude_f64(x), TINY_F64, INFINITY);
}
GELU_INLINE vf64 row_odd_f64(vf64 x, const f64_rows *s, const uint32_t *offset)
{
    vf64 a = clamp_f64(magnitude_f64(x), TINY_F64, s->end);
    return odd_f64(x, row_core_f64(a, s, offset));
}

/* What kernels.c expects of f, from its tables f_segments_f32 and gelu_rows_f and its tails f_tail_f32
   and f_tail_f64, which end where f does not change any more; kind: value, derivative or odd. */
#define DEFINE_BY_TABLES(f, kind, end_f32, end_f64)                                                \
    GELU_INLINE vm32 f##_ordinary_f32(vf32 x, int near)                                            \
    {                                                                                              \
        return ordinary_##kind##_f32(x, &f##_segments_f32, near);                                  \
    }                                                                                              \
    GELU_INLINE vf32 f##_fast_f32(vf32 x, int near)                                                \
    {                                                                                              \
        return table_##kind##_f32(x, &f##_segments_f32, near);                                     \
    }                                                                                              \
    GELU_INLINE vf32 f##_special_f32(vf32 x)                                                       \
    {                                                                                              \
        return special_##kind##_f32(x, f##_tail_f32, f##_segments_f32.edge, end_f32);              \
    }                                                                                              \
                                                                                                   \
    GELU_INLINE vm64 f##_ordinary_f64(vf64 x) { return ordinary_##kind##_f64(x, &gelu_rows_##f); } \
    GELU_INLINE vi64 f##_locate_f64(vf64 x) { return locate_row_f64(x, &gelu_rows_##f); }          \
    GELU_INLINE vf64 f##_fast_f64(vf64 x, const uint32_t *offset)                                  \
    {                                                                                              \
        return row_##kind##_f64(x, &gelu_rows_##f, offset);                                        \
    }                                                                                              \
    GELU_INLINE vf64 f##_special_f64(vf64 x)                                                       \
    {                                                                                              \
        return special_##kind##_f64(x, f##_tail_f64, gelu_rows_##f.end, end_f64);                  \
    }

#endif
