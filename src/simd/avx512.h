/* AVX-512 (F, BW, DQ, VL). Every arithmetic instruction carries its own rounding mode, which also
   suppresses all exceptions: this level raises no flag, not even INEXACT. See simd.h. */
#ifndef GELU_SIMD_LEVEL_H
#define GELU_SIMD_LEVEL_H

#include <immintrin.h>

#include "simd.h"

#define SIMD_HAS_FMA 1
#define SIMD_HAS_QUIET_COMPARE 1
#define SIMD_IS_SILENT 1
#define SIMD_HAS_SCALE 1
#define SIMD_HAS_ARITHMETIC_IF 1
#define QUIET (_MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)

/* ---- 32-bit lanes */

typedef __m512 vf32;
typedef __m512i vi32;
typedef __mmask16 vm32;
enum { F32_LANES = 16 };

GELU_INLINE vf32 f32_set(float x) { return _mm512_set1_ps(x); }
GELU_INLINE vi32 i32_set(uint32_t x) { return _mm512_set1_epi32((int)x); }

GELU_INLINE vf32 f32_load(const float *p) { return _mm512_loadu_ps(p); }
GELU_INLINE void f32_store(float *p, vf32 v) { _mm512_storeu_ps(p, v); }
GELU_INLINE vm32 m32_first(size_t n) { return (vm32)((1u << n) - 1); }
GELU_INLINE vf32 f32_load_partial(const float *p, size_t n)
{
    return _mm512_mask_loadu_ps(f32_set(1.0f), m32_first(n), p);
}
GELU_INLINE void f32_store_partial(float *p, vf32 v, size_t n)
{
    _mm512_mask_storeu_ps(p, m32_first(n), v);
}

GELU_INLINE vi32 f32_bits(vf32 v) { return _mm512_castps_si512(v); }
GELU_INLINE vf32 i32_float(vi32 v) { return _mm512_castsi512_ps(v); }
GELU_INLINE vi32 i32_and(vi32 a, vi32 b) { return _mm512_and_si512(a, b); }
GELU_INLINE vi32 i32_or(vi32 a, vi32 b) { return _mm512_or_si512(a, b); }
GELU_INLINE vi32 i32_xor(vi32 a, vi32 b) { return _mm512_xor_si512(a, b); }
GELU_INLINE vi32 i32_andnot(vi32 a, vi32 b) { return _mm512_andnot_si512(a, b); }
GELU_INLINE vi32 i32_add(vi32 a, vi32 b) { return _mm512_add_epi32(a, b); }
GELU_INLINE vi32 i32_sub(vi32 a, vi32 b) { return _mm512_sub_epi32(a, b); }
GELU_INLINE vi32 i32_shl(vi32 v, unsigned k) { return _mm512_slli_epi32(v, k); }
GELU_INLINE vi32 i32_shr(vi32 v, unsigned k) { return _mm512_srli_epi32(v, k); }
GELU_INLINE vi32 i32_umin(vi32 a, vi32 b) { return _mm512_min_epu32(a, b); }
GELU_INLINE vi32 i32_umax(vi32 a, vi32 b) { return _mm512_max_epu32(a, b); }

GELU_INLINE vm32 i32_eq(vi32 a, vi32 b) { return _mm512_cmpeq_epi32_mask(a, b); }
GELU_INLINE vm32 i32_gt(vi32 a, vi32 b) { return _mm512_cmpgt_epi32_mask(a, b); }
GELU_INLINE vm32 f32_eq(vf32 a, vf32 b) { return _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ); }
GELU_INLINE vm32 f32_lt(vf32 a, vf32 b) { return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ); }

GELU_INLINE vm32 m32_and(vm32 a, vm32 b) { return (vm32)(a & b); }
GELU_INLINE vm32 m32_or(vm32 a, vm32 b) { return (vm32)(a | b); }
GELU_INLINE int m32_all(vm32 m) { return m == 0xffff; }
GELU_INLINE vi32 i32_select(vm32 m, vi32 a, vi32 b) { return _mm512_mask_blend_epi32(m, b, a); }
GELU_INLINE unsigned m32_lanes(vm32 m) { return m; }
GELU_INLINE vf32 f32_select(vm32 m, vf32 a, vf32 b) { return _mm512_mask_blend_ps(m, b, a); }
GELU_INLINE vf32 f32_keep(vm32 m, vf32 a) { return _mm512_maskz_mov_ps(m, a); }

GELU_INLINE vf32 f32_add(vf32 a, vf32 b) { return _mm512_add_round_ps(a, b, QUIET); }
GELU_INLINE vf32 f32_sub(vf32 a, vf32 b) { return _mm512_sub_round_ps(a, b, QUIET); }
GELU_INLINE vf32 f32_mul(vf32 a, vf32 b) { return _mm512_mul_round_ps(a, b, QUIET); }
GELU_INLINE vf32 f32_div(vf32 a, vf32 b) { return _mm512_div_round_ps(a, b, QUIET); }
GELU_INLINE vf32 f32_fma(vf32 a, vf32 b, vf32 c) { return _mm512_fmadd_round_ps(a, b, c, QUIET); }
GELU_INLINE vf32 f32_fms(vf32 a, vf32 b, vf32 c) { return _mm512_fmsub_round_ps(a, b, c, QUIET); }
GELU_INLINE vf32 f32_fnma(vf32 a, vf32 b, vf32 c) { return _mm512_fnmadd_round_ps(a, b, c, QUIET); }
GELU_INLINE vf32 f32_fma_if(vm32 m, vf32 a, vf32 b, vf32 c)
{
    return _mm512_mask3_fmadd_round_ps(a, b, c, m, QUIET);
}
GELU_INLINE vf32 f32_sub_if(vm32 m, vf32 a, vf32 b)
{
    return _mm512_mask_sub_round_ps(b, m, a, b, QUIET);
}
GELU_INLINE vf32 f32_round(vf32 v) { return v; }
GELU_INLINE vf32 f32_scale(vf32 v, vf32 n) { return _mm512_scalef_round_ps(v, n, QUIET); }

typedef struct {
    _Alignas(64) uint32_t word[16];
} f32_table;
#define F32_TABLE(...)                                                                             \
    {                                                                                              \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
GELU_INLINE vi32 i32_lookup(const f32_table *table, vi32 i)
{
    return _mm512_permutexvar_epi32(i, _mm512_load_si512(table->word));
}
GELU_INLINE vf32 f32_lookup(const f32_table *table, vi32 i)
{
    return i32_float(i32_lookup(table, i));
}

/* ---- 64-bit lanes */

typedef __m512d vf64;
typedef __m512i vi64;
typedef __mmask8 vm64;
enum { F64_LANES = 8 };

GELU_INLINE vf64 f64_set(double x) { return _mm512_set1_pd(x); }
GELU_INLINE vi64 i64_set(uint64_t x) { return _mm512_set1_epi64((long long)x); }

GELU_INLINE vf64 f64_load(const double *p) { return _mm512_loadu_pd(p); }
GELU_INLINE void f64_store(double *p, vf64 v) { _mm512_storeu_pd(p, v); }
GELU_INLINE vm64 m64_first(size_t n) { return (vm64)((1u << n) - 1); }
GELU_INLINE vf64 f64_load_partial(const double *p, size_t n)
{
    return _mm512_mask_loadu_pd(f64_set(1.0), m64_first(n), p);
}
GELU_INLINE void f64_store_partial(double *p, vf64 v, size_t n)
{
    _mm512_mask_storeu_pd(p, m64_first(n), v);
}

GELU_INLINE vi64 f64_bits(vf64 v) { return _mm512_castpd_si512(v); }
GELU_INLINE vf64 i64_float(vi64 v) { return _mm512_castsi512_pd(v); }
GELU_INLINE vi64 i64_and(vi64 a, vi64 b) { return _mm512_and_si512(a, b); }
GELU_INLINE vi64 i64_or(vi64 a, vi64 b) { return _mm512_or_si512(a, b); }
GELU_INLINE vi64 i64_xor(vi64 a, vi64 b) { return _mm512_xor_si512(a, b); }
GELU_INLINE vi64 i64_andnot(vi64 a, vi64 b) { return _mm512_andnot_si512(a, b); }
GELU_INLINE vi64 i64_add(vi64 a, vi64 b) { return _mm512_add_epi64(a, b); }
GELU_INLINE vi64 i64_sub(vi64 a, vi64 b) { return _mm512_sub_epi64(a, b); }
GELU_INLINE vi64 i64_shl(vi64 v, unsigned k) { return _mm512_slli_epi64(v, k); }
GELU_INLINE vi64 i64_shr(vi64 v, unsigned k) { return _mm512_srli_epi64(v, k); }
GELU_INLINE vi64 i64_umin(vi64 a, vi64 b) { return _mm512_min_epu64(a, b); }
GELU_INLINE vi64 i64_umax(vi64 a, vi64 b) { return _mm512_max_epu64(a, b); }

GELU_INLINE vm64 i64_eq(vi64 a, vi64 b) { return _mm512_cmpeq_epi64_mask(a, b); }
GELU_INLINE vm64 i64_gt(vi64 a, vi64 b) { return _mm512_cmpgt_epi64_mask(a, b); }
GELU_INLINE vm64 f64_eq(vf64 a, vf64 b) { return _mm512_cmp_pd_mask(a, b, _CMP_EQ_OQ); }
GELU_INLINE vm64 f64_lt(vf64 a, vf64 b) { return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ); }

GELU_INLINE vm64 m64_and(vm64 a, vm64 b) { return (vm64)(a & b); }
GELU_INLINE vm64 m64_or(vm64 a, vm64 b) { return (vm64)(a | b); }
GELU_INLINE int m64_all(vm64 m) { return m == 0xff; }
GELU_INLINE vi64 i64_select(vm64 m, vi64 a, vi64 b) { return _mm512_mask_blend_epi64(m, b, a); }
GELU_INLINE unsigned m64_lanes(vm64 m) { return m; }
GELU_INLINE vf64 f64_select(vm64 m, vf64 a, vf64 b) { return _mm512_mask_blend_pd(m, b, a); }
GELU_INLINE vf64 f64_keep(vm64 m, vf64 a) { return _mm512_maskz_mov_pd(m, a); }

GELU_INLINE vf64 f64_add(vf64 a, vf64 b) { return _mm512_add_round_pd(a, b, QUIET); }
GELU_INLINE vf64 f64_sub(vf64 a, vf64 b) { return _mm512_sub_round_pd(a, b, QUIET); }
GELU_INLINE vf64 f64_mul(vf64 a, vf64 b) { return _mm512_mul_round_pd(a, b, QUIET); }
GELU_INLINE vf64 f64_div(vf64 a, vf64 b) { return _mm512_div_round_pd(a, b, QUIET); }
GELU_INLINE vf64 f64_fma(vf64 a, vf64 b, vf64 c) { return _mm512_fmadd_round_pd(a, b, c, QUIET); }
GELU_INLINE vf64 f64_fms(vf64 a, vf64 b, vf64 c) { return _mm512_fmsub_round_pd(a, b, c, QUIET); }
GELU_INLINE vf64 f64_fnma(vf64 a, vf64 b, vf64 c) { return _mm512_fnmadd_round_pd(a, b, c, QUIET); }
GELU_INLINE vf64 f64_fma_if(vm64 m, vf64 a, vf64 b, vf64 c)
{
    return _mm512_mask3_fmadd_round_pd(a, b, c, m, QUIET);
}
GELU_INLINE vf64 f64_sub_if(vm64 m, vf64 a, vf64 b)
{
    return _mm512_mask_sub_round_pd(b, m, a, b, QUIET);
}
GELU_INLINE vf64 f64_scale(vf64 v, vf64 n) { return _mm512_scalef_round_pd(v, n, QUIET); }

GELU_INLINE void i64_store_low(uint32_t *p, vi64 v)
{
    _mm256_storeu_si256((__m256i *)p, _mm512_cvtepi64_epi32(v));
}
GELU_INLINE __m128d row_pair_of_lane(vrow64 row, int lane, int k)
{
    return _mm_loadu_pd(row.base + row.offset[lane] + 2 * k);
}
GELU_INLINE __m512d row_pairs_from_lane(vrow64 row, int lane, int k)
{
    __m256d low = _mm256_castpd128_pd256(row_pair_of_lane(row, lane, k));
    __m256d high = _mm256_castpd128_pd256(row_pair_of_lane(row, lane + 4, k));
    low = _mm256_insertf128_pd(low, row_pair_of_lane(row, lane + 2, k), 1);
    high = _mm256_insertf128_pd(high, row_pair_of_lane(row, lane + 6, k), 1);
    return _mm512_insertf64x4(_mm512_castpd256_pd512(low), high, 1);
}
GELU_INLINE vf64 f64_row_pair(vrow64 row, int k, vf64 *second)
{
    __m512d even = row_pairs_from_lane(row, 0, k), odd = row_pairs_from_lane(row, 1, k);
    *second = _mm512_unpackhi_pd(even, odd);
    return _mm512_unpacklo_pd(even, odd);
}

#include "derived.h"

#endif
