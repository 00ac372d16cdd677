/* AVX2 with FMA. See simd.h. */
#ifndef GELU_SIMD_LEVEL_H
#define GELU_SIMD_LEVEL_H

#include <immintrin.h>

#include "simd.h"

#define SIMD_HAS_FMA 1
#define SIMD_HAS_QUIET_COMPARE 1
#define SIMD_HAS_NEAR_LOOKUP 1

/* ---- 32-bit lanes */

typedef __m256 vf32;
typedef __m256i vi32;
typedef __m256i vm32; /* all bits of a lane equal */
enum { F32_LANES = 8 };

GELU_INLINE vf32 f32_set(float x) { return _mm256_set1_ps(x); }
GELU_INLINE vi32 i32_set(uint32_t x) { return _mm256_set1_epi32((int)x); }

GELU_INLINE vf32 f32_load(const float *p) { return _mm256_loadu_ps(p); }
GELU_INLINE void f32_store(float *p, vf32 v) { _mm256_storeu_ps(p, v); }
GELU_INLINE vm32 m32_first(size_t n)
{
    return _mm256_cmpgt_epi32(_mm256_set1_epi32((int)n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
GELU_INLINE vf32 f32_load_partial(const float *p, size_t n)
{
    vm32 m = m32_first(n);
    return _mm256_blendv_ps(f32_set(1.0f), _mm256_maskload_ps(p, m), _mm256_castsi256_ps(m));
}
GELU_INLINE void f32_store_partial(float *p, vf32 v, size_t n)
{
    _mm256_maskstore_ps(p, m32_first(n), v);
}

GELU_INLINE vi32 f32_bits(vf32 v) { return _mm256_castps_si256(v); }
GELU_INLINE vf32 i32_float(vi32 v) { return _mm256_castsi256_ps(v); }
GELU_INLINE vi32 i32_and(vi32 a, vi32 b) { return _mm256_and_si256(a, b); }
GELU_INLINE vi32 i32_or(vi32 a, vi32 b) { return _mm256_or_si256(a, b); }
GELU_INLINE vi32 i32_xor(vi32 a, vi32 b) { return _mm256_xor_si256(a, b); }
GELU_INLINE vi32 i32_andnot(vi32 a, vi32 b) { return _mm256_andnot_si256(a, b); }
GELU_INLINE vi32 i32_add(vi32 a, vi32 b) { return _mm256_add_epi32(a, b); }
GELU_INLINE vi32 i32_sub(vi32 a, vi32 b) { return _mm256_sub_epi32(a, b); }
GELU_INLINE vi32 i32_shl(vi32 v, unsigned k) { return _mm256_slli_epi32(v, (int)k); }
GELU_INLINE vi32 i32_shr(vi32 v, unsigned k) { return _mm256_srli_epi32(v, (int)k); }
GELU_INLINE vi32 i32_umin(vi32 a, vi32 b) { return _mm256_min_epu32(a, b); }
GELU_INLINE vi32 i32_umax(vi32 a, vi32 b) { return _mm256_max_epu32(a, b); }

GELU_INLINE vm32 i32_eq(vi32 a, vi32 b) { return _mm256_cmpeq_epi32(a, b); }
GELU_INLINE vm32 i32_gt(vi32 a, vi32 b) { return _mm256_cmpgt_epi32(a, b); }
GELU_INLINE vm32 f32_eq(vf32 a, vf32 b) { return f32_bits(_mm256_cmp_ps(a, b, _CMP_EQ_OQ)); }
GELU_INLINE vm32 f32_lt(vf32 a, vf32 b) { return f32_bits(_mm256_cmp_ps(a, b, _CMP_LT_OQ)); }

GELU_INLINE vm32 m32_and(vm32 a, vm32 b) { return _mm256_and_si256(a, b); }
GELU_INLINE vm32 m32_or(vm32 a, vm32 b) { return _mm256_or_si256(a, b); }
GELU_INLINE unsigned m32_lanes(vm32 m) { return (unsigned)_mm256_movemask_ps(i32_float(m)); }
GELU_INLINE int m32_all(vm32 m) { return m32_lanes(m) == 0xff; }
GELU_INLINE vi32 i32_select(vm32 m, vi32 a, vi32 b) { return _mm256_blendv_epi8(b, a, m); }
GELU_INLINE vf32 f32_select(vm32 m, vf32 a, vf32 b) { return _mm256_blendv_ps(b, a, i32_float(m)); }
GELU_INLINE vf32 f32_keep(vm32 m, vf32 a) { return _mm256_and_ps(i32_float(m), a); }

GELU_INLINE vf32 f32_add(vf32 a, vf32 b) { return _mm256_add_ps(a, b); }
GELU_INLINE vf32 f32_sub(vf32 a, vf32 b) { return _mm256_sub_ps(a, b); }
GELU_INLINE vf32 f32_mul(vf32 a, vf32 b) { return _mm256_mul_ps(a, b); }
GELU_INLINE vf32 f32_div(vf32 a, vf32 b) { return _mm256_div_ps(a, b); }
GELU_INLINE vf32 f32_fma(vf32 a, vf32 b, vf32 c) { return _mm256_fmadd_ps(a, b, c); }
GELU_INLINE vf32 f32_fms(vf32 a, vf32 b, vf32 c) { return _mm256_fmsub_ps(a, b, c); }
GELU_INLINE vf32 f32_fnma(vf32 a, vf32 b, vf32 c) { return _mm256_fnmadd_ps(a, b, c); }
GELU_INLINE vf32 f32_round(vf32 v) { return v; }

/* A permutation reaches eight entries. The upper eight are stored xor the lower eight, so that bit 3
   of the index has only to switch that difference on: cheaper than a blend. */
typedef struct {
    _Alignas(64) uint32_t word[16];
} f32_table;
#define F32_TABLE(a0, a1, a2, a3, a4, a5, a6, a7, b0, b1, b2, b3, b4, b5, b6, b7)                  \
    {                                                                                              \
        {                                                                                          \
            a0, a1, a2, a3, a4, a5, a6, a7, (a0) ^ (b0), (a1) ^ (b1), (a2) ^ (b2), (a3) ^ (b3),    \
                (a4) ^ (b4), (a5) ^ (b5), (a6) ^ (b6), (a7) ^ (b7)                                 \
        }                                                                                          \
    }
GELU_INLINE vi32 i32_lookup(const f32_table *table, vi32 i)
{
    const __m256i *half = (const __m256i *)table->word;
    vi32 upper = _mm256_srai_epi32(i32_shl(i, 28), 31);
    vi32 low = _mm256_permutevar8x32_epi32(_mm256_load_si256(half), i);
    vi32 change = _mm256_permutevar8x32_epi32(_mm256_load_si256(half + 1), i);
    return i32_xor(low, i32_and(change, upper));
}
enum { F32_NEAR_ENTRIES = 8 };
GELU_INLINE vi32 i32_lookup_near(const f32_table *table, vi32 i)
{
    return _mm256_permutevar8x32_epi32(_mm256_load_si256((const __m256i *)table->word), i);
}
GELU_INLINE vf32 f32_lookup_near(const f32_table *table, vi32 i)
{
    return i32_float(i32_lookup_near(table, i));
}
GELU_INLINE vf32 f32_lookup(const f32_table *table, vi32 i)
{
    return i32_float(i32_lookup(table, i));
}

/* ---- 64-bit lanes */

typedef __m256d vf64;
typedef __m256i vi64;
typedef __m256i vm64;
enum { F64_LANES = 4 };

GELU_INLINE vf64 f64_set(double x) { return _mm256_set1_pd(x); }
GELU_INLINE vi64 i64_set(uint64_t x) { return _mm256_set1_epi64x((long long)x); }

GELU_INLINE vf64 f64_load(const double *p) { return _mm256_loadu_pd(p); }
GELU_INLINE void f64_store(double *p, vf64 v) { _mm256_storeu_pd(p, v); }
GELU_INLINE vm64 m64_first(size_t n)
{
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)n), _mm256_setr_epi64x(0, 1, 2, 3));
}
GELU_INLINE vf64 f64_load_partial(const double *p, size_t n)
{
    vm64 m = m64_first(n);
    return _mm256_blendv_pd(f64_set(1.0), _mm256_maskload_pd(p, m), _mm256_castsi256_pd(m));
}
GELU_INLINE void f64_store_partial(double *p, vf64 v, size_t n)
{
    _mm256_maskstore_pd(p, m64_first(n), v);
}

GELU_INLINE vi64 f64_bits(vf64 v) { return _mm256_castpd_si256(v); }
GELU_INLINE vf64 i64_float(vi64 v) { return _mm256_castsi256_pd(v); }
GELU_INLINE vi64 i64_and(vi64 a, vi64 b) { return _mm256_and_si256(a, b); }
GELU_INLINE vi64 i64_or(vi64 a, vi64 b) { return _mm256_or_si256(a, b); }
GELU_INLINE vi64 i64_xor(vi64 a, vi64 b) { return _mm256_xor_si256(a, b); }
GELU_INLINE vi64 i64_andnot(vi64 a, vi64 b) { return _mm256_andnot_si256(a, b); }
GELU_INLINE vi64 i64_add(vi64 a, vi64 b) { return _mm256_add_epi64(a, b); }
GELU_INLINE vi64 i64_sub(vi64 a, vi64 b) { return _mm256_sub_epi64(a, b); }
GELU_INLINE vi64 i64_shl(vi64 v, unsigned k) { return _mm256_slli_epi64(v, (int)k); }
GELU_INLINE vi64 i64_shr(vi64 v, unsigned k) { return _mm256_srli_epi64(v, (int)k); }
GELU_INLINE vm64 i64_eq(vi64 a, vi64 b) { return _mm256_cmpeq_epi64(a, b); }
GELU_INLINE vm64 i64_gt(vi64 a, vi64 b) { return _mm256_cmpgt_epi64(a, b); }
/* By flipping the top bits: there is no unsigned comparison. */
GELU_INLINE vm64 i64_ugt(vi64 a, vi64 b)
{
    const vi64 top = i64_set(SIGN_BIT_64);
    return i64_gt(i64_xor(a, top), i64_xor(b, top));
}
GELU_INLINE vi64 i64_umin(vi64 a, vi64 b) { return _mm256_blendv_epi8(a, b, i64_ugt(a, b)); }
GELU_INLINE vi64 i64_umax(vi64 a, vi64 b) { return _mm256_blendv_epi8(b, a, i64_ugt(a, b)); }
GELU_INLINE vm64 f64_eq(vf64 a, vf64 b) { return f64_bits(_mm256_cmp_pd(a, b, _CMP_EQ_OQ)); }
GELU_INLINE vm64 f64_lt(vf64 a, vf64 b) { return f64_bits(_mm256_cmp_pd(a, b, _CMP_LT_OQ)); }

GELU_INLINE vm64 m64_and(vm64 a, vm64 b) { return _mm256_and_si256(a, b); }
GELU_INLINE vm64 m64_or(vm64 a, vm64 b) { return _mm256_or_si256(a, b); }
GELU_INLINE unsigned m64_lanes(vm64 m) { return (unsigned)_mm256_movemask_pd(i64_float(m)); }
GELU_INLINE int m64_all(vm64 m) { return m64_lanes(m) == 0xf; }
GELU_INLINE vi64 i64_select(vm64 m, vi64 a, vi64 b) { return _mm256_blendv_epi8(b, a, m); }
GELU_INLINE vf64 f64_select(vm64 m, vf64 a, vf64 b) { return _mm256_blendv_pd(b, a, i64_float(m)); }
GELU_INLINE vf64 f64_keep(vm64 m, vf64 a) { return _mm256_and_pd(i64_float(m), a); }

GELU_INLINE vf64 f64_add(vf64 a, vf64 b) { return _mm256_add_pd(a, b); }
GELU_INLINE vf64 f64_sub(vf64 a, vf64 b) { return _mm256_sub_pd(a, b); }
GELU_INLINE vf64 f64_mul(vf64 a, vf64 b) { return _mm256_mul_pd(a, b); }
GELU_INLINE vf64 f64_div(vf64 a, vf64 b) { return _mm256_div_pd(a, b); }
GELU_INLINE vf64 f64_fma(vf64 a, vf64 b, vf64 c) { return _mm256_fmadd_pd(a, b, c); }
GELU_INLINE vf64 f64_fms(vf64 a, vf64 b, vf64 c) { return _mm256_fmsub_pd(a, b, c); }
GELU_INLINE vf64 f64_fnma(vf64 a, vf64 b, vf64 c) { return _mm256_fnmadd_pd(a, b, c); }

GELU_INLINE void i64_store_low(uint32_t *p, vi64 v)
{
    const __m256i even_words = _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6);
    __m256i low = _mm256_permutevar8x32_epi32(v, even_words);
    _mm_storeu_si128((__m128i *)p, _mm256_castsi256_si128(low));
}
GELU_INLINE const double *row_of_lane(vrow64 row, int lane) { return row.base + row.offset[lane]; }
GELU_INLINE vf64 f64_row_pair(vrow64 row, int k, vf64 *second)
{
    const int at = 2 * k;
    __m256d even = _mm256_loadu2_m128d(row_of_lane(row, 2) + at, row_of_lane(row, 0) + at);
    __m256d odd = _mm256_loadu2_m128d(row_of_lane(row, 3) + at, row_of_lane(row, 1) + at);
    *second = _mm256_unpackhi_pd(even, odd);
    return _mm256_unpacklo_pd(even, odd);
}

#include "derived.h"

#endif
