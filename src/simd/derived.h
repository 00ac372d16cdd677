/* The operations that a level's header need not define itself, made of those that it does. Included
   at the end of each level's header. */

#ifndef SIMD_IS_SILENT
#define SIMD_IS_SILENT 0
#endif

/* Largest powers of two that f32_scale and f64_scale multiply by. */
#define LARGEST_UNIT_FACTOR_32 100
#define LARGEST_UNIT_FACTOR_64 900

#define W 32
#include "derived_width.h"
#define W 64
#include "derived_width.h"

GELU_INLINE vf64 f64_round(vf64 v) { return v; }

#if !SIMD_HAS_FMA
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
