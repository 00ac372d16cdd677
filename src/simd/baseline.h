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

/* ---- 32-bit lanes

   Without FMA, float32 is computed in double: products are then exact, and a few dozen conversions
   cost less than any emulation. f32_round, f32_bits and f32_store round to float32. */

#if SIMD_HAS_FMA
typedef float vf32;
#else
typedef double vf32;
#endif
typedef uint32_t vi32;
typedef uint32_t vm32; /* all bits equal */
enum { F32_LANES = 1 };

GELU_INLINE vf32 f32_set(float x) { return x; }
GELU_INLINE vi32 i32_set(uint32_t x) { return x; }

GELU_INLINE vf32 f32_load(const float *p) { return *p; }
GELU_INLINE void f32_store(float *p, vf32 v) { *p = (float)v; }
GELU_INLINE vf32 f32_load_partial(const float *p, size_t n) { return n ? *p : 1.0f; }
GELU_INLINE void f32_store_partial(float *p, vf32 v, size_t n)
{
    if (n)
        *p = (float)v;
}

GELU_INLINE vi32 f32_bits(vf32 v)
{
    float single = (float)v;
    vi32 bits;
    memcpy(&bits, &single, sizeof bits);
    return bits;
}
GELU_INLINE vf32 i32_float(vi32 bits)
{
    float single;
    memcpy(&single, &bits, sizeof single);
    return single;
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

GELU_INLINE vm32 m32_of(int condition) { return 0u - (uint32_t)condition; }
GELU_INLINE vm32 i32_eq(vi32 a, vi32 b) { return m32_of(a == b); }
GELU_INLINE vm32 i32_gt(vi32 a, vi32 b) { return m32_of((int32_t)a > (int32_t)b); }
GELU_INLINE vm32 f32_eq(vf32 a, vf32 b) { return m32_of(a == b); }
GELU_INLINE vm32 f32_lt_signalling(vf32 a, vf32 b) { return m32_of(a < b); }

GELU_INLINE vm32 m32_and(vm32 a, vm32 b) { return a & b; }
GELU_INLINE vm32 m32_or(vm32 a, vm32 b) { return a | b; }
GELU_INLINE unsigned m32_lanes(vm32 m) { return m & 1; }
GELU_INLINE int m32_all(vm32 m) { return m != 0; }
GELU_INLINE vi32 i32_select(vm32 m, vi32 a, vi32 b) { return (a & m) | (b & ~m); }
/* By the bits, not by a branch, which would be mispredicted for every other element. */
#if SIMD_HAS_FMA
GELU_INLINE vf32 f32_select(vm32 m, vf32 a, vf32 b)
{
    return i32_float(i32_select(m, f32_bits(a), f32_bits(b)));
}
#else
GELU_INLINE vf32 f32_select(vm32 m, vf32 a, vf32 b)
{
    uint64_t a_bits, b_bits, wide = UINT64_C(0) - (m & 1);
    memcpy(&a_bits, &a, sizeof a_bits);
    memcpy(&b_bits, &b, sizeof b_bits);
    a_bits = (a_bits & wide) | (b_bits & ~wide);
    memcpy(&a, &a_bits, sizeof a);
    return a;
}
#endif
GELU_INLINE vf32 f32_keep(vm32 m, vf32 a) { return f32_select(m, a, 0.0f); }

GELU_INLINE vf32 f32_add(vf32 a, vf32 b) { return a + b; }
GELU_INLINE vf32 f32_sub(vf32 a, vf32 b) { return a - b; }
GELU_INLINE vf32 f32_mul(vf32 a, vf32 b) { return a * b; }
GELU_INLINE vf32 f32_div(vf32 a, vf32 b) { return a / b; }

#if SIMD_HAS_FMA
GELU_INLINE vf32 f32_fma(vf32 a, vf32 b, vf32 c) { return fmaf(a, b, c); }
#else
GELU_INLINE vf32 f32_fma(vf32 a, vf32 b, vf32 c) { return a * b + c; }
#endif
GELU_INLINE vf32 f32_fms(vf32 a, vf32 b, vf32 c) { return f32_fma(a, b, -c); }
GELU_INLINE vf32 f32_fnma(vf32 a, vf32 b, vf32 c) { return f32_fma(-a, b, c); }
GELU_INLINE vf32 f32_round(vf32 v) { return (float)v; }

typedef struct {
    uint32_t word[16];
#if !SIMD_HAS_FMA
    double value[16]; /* the same, ready to compute with */
#endif
} f32_table;
#if SIMD_HAS_FMA
#define F32_TABLE(...)                                                                             \
    {                                                                                              \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#else
/* The value of a float from its bits, in arithmetic that the compiler does: significand 2^-150, and
   2^exponent as a product over the exponent's bits. */
#define POWER(w, bit, power) ((w) >> (23 + (bit)) & 1 ? (power) : 1.0)
#define VALUE(w)                                                                                   \
    ((w) << 1 == 0 ? 0.0                                                                           \
                   : ((w) >> 31 ? -0x1p-150 : 0x1p-150) * (((w) & 0x7fffff) | 0x800000) *          \
                         POWER(w, 0, 0x1p1) * POWER(w, 1, 0x1p2) * POWER(w, 2, 0x1p4) *            \
                         POWER(w, 3, 0x1p8) * POWER(w, 4, 0x1p16) * POWER(w, 5, 0x1p32) *          \
                         POWER(w, 6, 0x1p64) * POWER(w, 7, 0x1p128))
#define F32_TABLE(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)                                  \
    {                                                                                              \
        {a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p},                                          \
        {                                                                                          \
            VALUE(a), VALUE(b), VALUE(c), VALUE(d), VALUE(e), VALUE(f), VALUE(g), VALUE(h),        \
                VALUE(i), VALUE(j), VALUE(k), VALUE(l), VALUE(m), VALUE(n), VALUE(o), VALUE(p)     \
        }                                                                                          \
    }
#endif
GELU_INLINE vi32 i32_lookup(const f32_table *table, vi32 i) { return table->word[i & 15]; }
GELU_INLINE vf32 f32_lookup(const f32_table *table, vi32 i)
{
#if SIMD_HAS_FMA
    return i32_float(i32_lookup(table, i));
#else
    return table->value[i & 15];
#endif
}

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

GELU_INLINE vm64 m64_of(int condition) { return UINT64_C(0) - (uint64_t)condition; }
GELU_INLINE vm64 i64_eq(vi64 a, vi64 b) { return m64_of(a == b); }
GELU_INLINE vm64 i64_gt(vi64 a, vi64 b) { return m64_of((int64_t)a > (int64_t)b); }
GELU_INLINE vm64 f64_eq(vf64 a, vf64 b) { return m64_of(a == b); }
GELU_INLINE vm64 f64_lt_signalling(vf64 a, vf64 b) { return m64_of(a < b); }

GELU_INLINE vm64 m64_and(vm64 a, vm64 b) { return a & b; }
GELU_INLINE vm64 m64_or(vm64 a, vm64 b) { return a | b; }
GELU_INLINE unsigned m64_lanes(vm64 m) { return m & 1; }
GELU_INLINE int m64_all(vm64 m) { return m != 0; }
GELU_INLINE vi64 i64_select(vm64 m, vi64 a, vi64 b) { return (a & m) | (b & ~m); }
GELU_INLINE vf64 f64_select(vm64 m, vf64 a, vf64 b)
{
    return i64_float(i64_select(m, f64_bits(a), f64_bits(b)));
}
GELU_INLINE vf64 f64_keep(vm64 m, vf64 a) { return i64_float(f64_bits(a) & m); }

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

GELU_INLINE void i64_store_low(uint32_t *p, vi64 v) { *p = (uint32_t)v; }
GELU_INLINE vf64 f64_row_pair(vrow64 row, int k, vf64 *second)
{
    *second = row.base[*row.offset + 2 * k + 1];
    return row.base[*row.offset + 2 * k];
}

#include "derived.h"

#endif
