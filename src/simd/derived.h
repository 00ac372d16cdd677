/* The operations that a level's header need not define itself, made of those that it does. Included
   at the end of each level's header. */

#ifndef SIMD_IS_SILENT
#define SIMD_IS_SILENT 0
#endif

#ifndef SIMD_HAS_QUIET_COMPARE
/* An ordered comparison raises INVALID for a quiet NaN, equality does not: NaN lanes become 0 first. */
GELU_INLINE vm32 f32_ordered(vf32 a, vf32 b) { return m32_and(f32_eq(a, a), f32_eq(b, b)); }
GELU_INLINE vm32 f32_lt(vf32 a, vf32 b)
{
    vm32 ordered = f32_ordered(a, b);
    return m32_and(ordered, f32_lt_signalling(f32_keep(ordered, a), f32_keep(ordered, b)));
}

GELU_INLINE vm64 f64_ordered(vf64 a, vf64 b) { return m64_and(f64_eq(a, a), f64_eq(b, b)); }
GELU_INLINE vm64 f64_lt(vf64 a, vf64 b)
{
    vm64 ordered = f64_ordered(a, b);
    return m64_and(ordered, f64_lt_signalling(f64_keep(ordered, a), f64_keep(ordered, b)));
}
#endif

/* n in the exponent's bits. */
GELU_INLINE vi32 exponent_f32(vf32 n)
{
    return i32_shl(f32_bits(f32_add(n, f32_set(F32_TO_INTEGER))), 23);
}
GELU_INLINE vi64 exponent_f64(vf64 n)
{
    return i64_shl(f64_bits(f64_add(n, f64_set(F64_TO_INTEGER))), 52);
}

GELU_INLINE vf32 f32_pow2(vf32 n)
{
    return i32_float(i32_add(exponent_f32(n), f32_bits(f32_set(1.0f))));
}
GELU_INLINE vf64 f64_pow2(vf64 n)
{
    return i64_float(i64_add(exponent_f64(n), f64_bits(f64_set(1.0))));
}

#ifndef SIMD_HAS_SCALE
/* v 2^n where that may be subnormal. A hardware multiplication would raise UNDERFLOW and, on many
   processors, take a hundred cycles. Instead |v| 2^n is counted in units of the smallest subnormal
   number, and rounded to integer by adding 2^23 (2^52): that integer is the result's bit pattern.
   The factor stops at 2^100 (2^900), for v that cannot become subnormal. */
GELU_INLINE vf32 f32_scale_to_subnormal(vf32 v, vf32 n)
{
    const vi32 sign = i32_set(SIGN_BIT_32), two_23 = f32_bits(f32_set(0x1p23f));
    vi32 to_units = i32_add(exponent_f32(n), i32_set((149u + 127) << 23));
    to_units = i32_umin(to_units, i32_set((100u + 127) << 23));
    vf32 magnitude = i32_float(i32_andnot(sign, f32_bits(v)));
    vi32 units = i32_umin(f32_bits(f32_mul(magnitude, i32_float(to_units))), two_23);
    vi32 count = i32_sub(f32_bits(f32_add(i32_float(units), i32_float(two_23))), two_23);
    vi32 subnormal = i32_or(count, i32_and(sign, f32_bits(v)));
    vi32 normal = i32_add(f32_bits(v), exponent_f32(n));
    return i32_float(i32_select(i32_gt(two_23, units), subnormal, normal));
}
GELU_INLINE vf32 f32_scale(vf32 v, vf32 n)
{
    vi32 bits = i32_add(f32_bits(v), exponent_f32(n));
    vi32 magnitude = i32_add(i32_and(f32_bits(v), i32_set(~SIGN_BIT_32)), exponent_f32(n));
    if (GELU_UNLIKELY(!m32_all(i32_gt(magnitude, i32_set(0x007fffff)))))
        return f32_scale_to_subnormal(v, n);
    return i32_float(bits);
}

GELU_INLINE vf64 f64_scale_to_subnormal(vf64 v, vf64 n)
{
    const vi64 sign = i64_set(SIGN_BIT_64), two_52 = f64_bits(f64_set(0x1p52));
    vi64 to_units = i64_add(exponent_f64(n), i64_set((UINT64_C(1074) + 1023) << 52));
    to_units = i64_umin(to_units, i64_set((UINT64_C(900) + 1023) << 52));
    vf64 magnitude = i64_float(i64_andnot(sign, f64_bits(v)));
    vi64 units = i64_umin(f64_bits(f64_mul(magnitude, i64_float(to_units))), two_52);
    vi64 count = i64_sub(f64_bits(f64_add(i64_float(units), i64_float(two_52))), two_52);
    vi64 subnormal = i64_or(count, i64_and(sign, f64_bits(v)));
    vi64 normal = i64_add(f64_bits(v), exponent_f64(n));
    return i64_float(i64_select(i64_gt(two_52, units), subnormal, normal));
}
GELU_INLINE vf64 f64_scale(vf64 v, vf64 n)
{
    vi64 bits = i64_add(f64_bits(v), exponent_f64(n));
    vi64 magnitude = i64_add(i64_and(f64_bits(v), i64_set(~SIGN_BIT_64)), exponent_f64(n));
    if (GELU_UNLIKELY(!m64_all(i64_gt(magnitude, i64_set(0x000fffffffffffff)))))
        return f64_scale_to_subnormal(v, n);
    return i64_float(bits);
}
#endif

/* Where float32 is computed in double the rest of a product of two floats is 0. */
GELU_INLINE vf32 f32_two_prod(vf32 a, vf32 b, vf32 *lo)
{
    vf32 hi = f32_mul(a, b);
    *lo = f32_fms(a, b, hi);
    return hi;
}

#if SIMD_HAS_FMA
GELU_INLINE vf64 f64_two_prod(vf64 a, vf64 b, vf64 *lo)
{
    vf64 hi = f64_mul(a, b);
    *lo = f64_fms(a, b, hi);
    return hi;
}
#else
/* Veltkamp's splitting: x = hi + lo, each of at most 26 bits, so that their products are exact. */
GELU_INLINE vf64 f64_split(vf64 x, vf64 *lo)
{
    vf64 big = f64_mul(x, f64_set(0x1p27 + 1));
    vf64 hi = f64_sub(big, f64_sub(big, x));
    *lo = f64_sub(x, hi);
    return hi;
}

/* Dekker's product; |a|, |b| < 2^990. */
GELU_INLINE vf64 f64_two_prod(vf64 a, vf64 b, vf64 *lo)
{
    vf64 al, bl, ah = f64_split(a, &al), bh = f64_split(b, &bl);
    vf64 hi = f64_mul(a, b);
    vf64 rest = f64_sub(f64_mul(ah, bh), hi);
    rest = f64_add(rest, f64_mul(ah, bl));
    rest = f64_add(rest, f64_mul(al, bh));
    *lo = f64_add(rest, f64_mul(al, bl));
    return hi;
}
#endif

#ifndef SIMD_HAS_NEAR_LOOKUP
enum { F32_NEAR_ENTRIES = 16 };
GELU_INLINE vi32 i32_lookup_near(const f32_table *table, vi32 i) { return i32_lookup(table, i); }
GELU_INLINE vf32 f32_lookup_near(const f32_table *table, vi32 i) { return f32_lookup(table, i); }
#endif

#ifndef SIMD_HAS_ARITHMETIC_IF
GELU_INLINE vf32 f32_fma_if(vm32 m, vf32 a, vf32 b, vf32 c)
{
    return f32_fma(a, f32_keep(m, b), c);
}
GELU_INLINE vf32 f32_sub_if(vm32 m, vf32 a, vf32 b) { return f32_select(m, f32_sub(a, b), b); }
GELU_INLINE vf64 f64_fma_if(vm64 m, vf64 a, vf64 b, vf64 c)
{
    return f64_fma(a, f64_keep(m, b), c);
}
GELU_INLINE vf64 f64_sub_if(vm64 m, vf64 a, vf64 b) { return f64_select(m, f64_sub(a, b), b); }
#endif
