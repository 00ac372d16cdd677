/* Plain C, one lane: for every processor, and the meaning of each operation in C. See simd.h. */
#ifndef GELU_SIMD_LEVEL_H
#define GELU_SIMD_LEVEL_H

#include "simd.h"

/* Where fma is a function call (190 ns instead of one) it must not be used. */
#if defined(__FMA__) || defined(__aarch64__) || (defined(FP_FAST_FMA) && defined(FP_FAST_FMAF))
#define SIMD_HAS_FMA 1
#else
#define SIMD_HAS_FMA 0
#endif

/* ---- 32-bit lanes */

typedef float vf32;
typedef uint32_t vi32;
typedef uint32_t vm32; /* all bits equal */
enum { F32_LANES = 1 };

GELU_INLINE vf32 f32_set(float x) { return x; }
GELU_INLINE vi32 i32_set(uint32_t x) { return x; }

GELU_INLINE vf32 f32_load(const float *p) { return *p; }
GELU_INLINE void f32_store(float *p, vf32 v) { *p = v; }
GELU_INLINE vf32 f32_load_partial(const float *p, size_t n) { return n ? *p : 1.0f; }
GELU_INLINE void f32_store_partial(float *p, vf32 v, size_t n)
{
    if (n)
        *p = v;
}

GELU_INLINE vi32 f32_bits(vf32 v)
{
    vi32 bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}
GELU_INLINE vf32 i32_float(vi32 bits)
{
    vf32 v;
    memcpy(&v, &bits, sizeof v);
    return v;
}
GELU_INLINE vi32 i32_and(vi32 a, vi32 b) { return a & b; }
GELU_INLINE vi32 i32_or(vi32 a, vi32 b) { return a | b; }
GELU_INLINE vi32 i32_xor(vi32 a, vi32 b) { return a ^ b; }
GELU_INLINE vi32 i32_andnot(vi32 a, vi32 b) { return ~a & b; }
GELU_INLINE vi32 i32_add(vi32 a, vi32 b) { return a + b; }
GELU_INLINE vi32 i32_sub(vi32 a, vi32 b) { return a - b; }
GELU_INLINE vi32 i32_shl(vi32 v, unsigned k) { return v << k; }
GELU_INLINE vi32 i32_shr(vi32 v, unsigned k) { return v >> k; }
GELU_INLINE vi32 i32_umin(vi32 a, vi32 b) { return a < b ? a : b; }
GELU_INLINE vi32 i32_umax(vi32 a, vi32 b) { return a > b ? a : b; }

GELU_INLINE vm32 m32_of(int condition) { return condition ? 0xffffffff : 0; }
GELU_INLINE vm32 i32_eq(vi32 a, vi32 b) { return m32_of(a == b); }
GELU_INLINE vm32 i32_gt(vi32 a, vi32 b) { return m32_of((int32_t)a > (int32_t)b); }
GELU_INLINE vm32 f32_eq(vf32 a, vf32 b) { return m32_of(a == b); }
GELU_INLINE vm32 f32_lt(vf32 a, vf32 b) { return m32_of(isless(a, b)); }
GELU_INLINE vm32 f32_le(vf32 a, vf32 b) { return m32_of(islessequal(a, b)); }

GELU_INLINE vm32 m32_and(vm32 a, vm32 b) { return a & b; }
GELU_INLINE vm32 m32_or(vm32 a, vm32 b) { return a | b; }
GELU_INLINE unsigned m32_lanes(vm32 m) { return m & 1; }
GELU_INLINE int m32_all(vm32 m) { return m != 0; }
GELU_INLINE vf32 f32_select(vm32 m, vf32 a, vf32 b) { return m ? a : b; }
GELU_INLINE vf32 f32_keep(vm32 m, vf32 a) { return m ? a : 0.0f; }

GELU_INLINE vf32 f32_add(vf32 a, vf32 b) { return a + b; }
GELU_INLINE vf32 f32_sub(vf32 a, vf32 b) { return a - b; }
GELU_INLINE vf32 f32_mul(vf32 a, vf32 b) { return a * b; }
GELU_INLINE vf32 f32_div(vf32 a, vf32 b) { return a / b; }

#if SIMD_HAS_FMA
GELU_INLINE vf32 f32_fma(vf32 a, vf32 b, vf32 c) { return fmaf(a, b, c); }
#else
/* Rounds a finite sum of two doubles to float as if in one step. Only a double that lies exactly half
   way between two floats, and is itself rounded, could go the wrong way: move it by one unit towards
   the exact sum. Among the subnormal floats that half way lies elsewhere: treat all of them so. */
GELU_NOINLINE float f32_round_sum(double a, double b, double sum)
{
    double b_part = sum - a, rest = (a - (sum - b_part)) + (b - b_part);
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    if (rest != 0 && (bits & 1) == 0)
        bits += (rest > 0) == (sum > 0) ? 1 : UINT64_MAX;
    memcpy(&sum, &bits, sizeof bits);
    return (float)sum;
}

/* In double the product is exact and the sum almost: the same bits as a fused multiply-add. */
GELU_INLINE vf32 f32_fma(vf32 a, vf32 b, vf32 c)
{
    double product = (double)a * b, sum = product + c;
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    uint64_t below_float = bits & 0x1fffffff, exponent = bits >> 52 & 0x7ff;
    if (GELU_UNLIKELY(below_float == 0x10000000 || exponent < 1023 - 126))
        return f32_round_sum(product, c, sum);
    return (float)sum;
}
#endif
GELU_INLINE vf32 f32_fms(vf32 a, vf32 b, vf32 c) { return f32_fma(a, b, -c); }
GELU_INLINE vf32 f32_fnma(vf32 a, vf32 b, vf32 c) { return f32_fma(-a, b, c); }

#define F32_TABLE(...) {{__VA_ARGS__}}
GELU_INLINE vf32 f32_lookup(const f32_table *table, vi32 i)
{
    return i32_float(table->word[i & 15]);
}

/* Integer arithmetic, since few processors below the other levels know float16. */
GELU_INLINE vf32 f32_load_f16(const uint16_t *p)
{
    uint32_t sign = (uint32_t)(*p & 0x8000) << 16, magnitude = *p & 0x7fff;
    if (magnitude < 0x0400) /* zero and subnormal: magnitude counts units of 2^-24 */
        return i32_float(sign | f32_bits((float)magnitude * 0x1p-24f));
    if (magnitude >= 0x7c00) /* infinity, or a NaN made quiet */
        return i32_float(sign | 0x7f800000 | (magnitude & 0x3ff) << 13 |
                         (magnitude > 0x7c00 ? 0x00400000 : 0));
    return i32_float(sign | ((magnitude << 13) + ((127 - 15) << 23)));
}
GELU_INLINE uint16_t f16_of_magnitude(uint32_t bits)
{
    if (bits > 0x7f800000)
        return (uint16_t)(0x7e00 | (bits >> 13 & 0x3ff));
    if (bits >= f32_bits(65520.0f))
        return 0x7c00;
    if (bits < f32_bits(0x1p-14f)) /* adding 0.5 leaves units of 2^-24 in the low bits, rounded */
        return (uint16_t)(f32_bits(i32_float(bits) + 0.5f) - f32_bits(0.5f));
    return (uint16_t)((bits - ((127 - 15) << 23) + 0xfff + (bits >> 13 & 1)) >> 13);
}
GELU_INLINE void f32_store_f16(uint16_t *p, vf32 v)
{
    *p = (uint16_t)((f32_bits(v) >> 16 & 0x8000) | f16_of_magnitude(f32_bits(v) & 0x7fffffff));
}
GELU_INLINE vf32 f32_load_bf16(const uint16_t *p) { return i32_float((uint32_t)*p << 16); }
GELU_INLINE void i32_store_low_halves(uint16_t *p, vi32 v) { *p = (uint16_t)v; }

/* ---- 64-bit lanes */

typedef double vf64;
typedef uint64_t vi64;
typedef uint64_t vm64;
enum { F64_LANES = 1 };

GELU_INLINE vf64 f64_set(double x) { return x; }
GELU_INLINE vi64 i64_set(uint64_t x) { return x; }

GELU_INLINE vf64 f64_load(const double *p) { return *p; }
GELU_INLINE void f64_store(double *p, vf64 v) { *p = v; }
GELU_INLINE vf64 f64_load_partial(const double *p, size_t n) { return n ? *p : 1.0; }
GELU_INLINE void f64_store_partial(double *p, vf64 v, size_t n)
{
    if (n)
        *p = v;
}

GELU_INLINE vi64 f64_bits(vf64 v)
{
    vi64 bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}
GELU_INLINE vf64 i64_float(vi64 bits)
{
    vf64 v;
    memcpy(&v, &bits, sizeof v);
    return v;
}
GELU_INLINE vi64 i64_and(vi64 a, vi64 b) { return a & b; }
GELU_INLINE vi64 i64_or(vi64 a, vi64 b) { return a | b; }
GELU_INLINE vi64 i64_xor(vi64 a, vi64 b) { return a ^ b; }
GELU_INLINE vi64 i64_andnot(vi64 a, vi64 b) { return ~a & b; }
GELU_INLINE vi64 i64_add(vi64 a, vi64 b) { return a + b; }
GELU_INLINE vi64 i64_sub(vi64 a, vi64 b) { return a - b; }
GELU_INLINE vi64 i64_shl(vi64 v, unsigned k) { return v << k; }
GELU_INLINE vi64 i64_shr(vi64 v, unsigned k) { return v >> k; }
GELU_INLINE vi64 i64_umin(vi64 a, vi64 b) { return a < b ? a : b; }
GELU_INLINE vi64 i64_umax(vi64 a, vi64 b) { return a > b ? a : b; }

GELU_INLINE vm64 m64_of(int condition) { return condition ? UINT64_MAX : 0; }
GELU_INLINE vm64 i64_eq(vi64 a, vi64 b) { return m64_of(a == b); }
GELU_INLINE vm64 i64_gt(vi64 a, vi64 b) { return m64_of((int64_t)a > (int64_t)b); }
GELU_INLINE vm64 f64_eq(vf64 a, vf64 b) { return m64_of(a == b); }
GELU_INLINE vm64 f64_lt(vf64 a, vf64 b) { return m64_of(isless(a, b)); }
GELU_INLINE vm64 f64_le(vf64 a, vf64 b) { return m64_of(islessequal(a, b)); }

GELU_INLINE vm64 m64_and(vm64 a, vm64 b) { return a & b; }
GELU_INLINE vm64 m64_or(vm64 a, vm64 b) { return a | b; }
GELU_INLINE unsigned m64_lanes(vm64 m) { return m & 1; }
GELU_INLINE int m64_all(vm64 m) { return m != 0; }
GELU_INLINE vf64 f64_select(vm64 m, vf64 a, vf64 b) { return m ? a : b; }
GELU_INLINE vf64 f64_keep(vm64 m, vf64 a) { return m ? a : 0.0; }

GELU_INLINE vf64 f64_add(vf64 a, vf64 b) { return a + b; }
GELU_INLINE vf64 f64_sub(vf64 a, vf64 b) { return a - b; }
GELU_INLINE vf64 f64_mul(vf64 a, vf64 b) { return a * b; }
GELU_INLINE vf64 f64_div(vf64 a, vf64 b) { return a / b; }
#if SIMD_HAS_FMA
GELU_INLINE vf64 f64_fma(vf64 a, vf64 b, vf64 c) { return fma(a, b, c); }
#else
GELU_INLINE vf64 f64_fma(vf64 a, vf64 b, vf64 c) { return a * b + c; }
#endif
GELU_INLINE vf64 f64_fms(vf64 a, vf64 b, vf64 c) { return f64_fma(a, b, -c); }
GELU_INLINE vf64 f64_fnma(vf64 a, vf64 b, vf64 c) { return f64_fma(-a, b, c); }

#define F64_TABLE(...) {{__VA_ARGS__}}
GELU_INLINE vf64 f64_lookup(const f64_table *table, vi64 i) { return table->entry[i & 15]; }

#include "derived.h"

#endif
