/* AArch64 Advanced SIMD (NEON). See simd.h. */
#ifndef GELU_SIMD_LEVEL_H
#define GELU_SIMD_LEVEL_H

#include <arm_neon.h>

#include "simd.h"

#define SIMD_HAS_FMA 1
#define SIMD_HAS_NEAR_LOOKUP 1

/* ---- 32-bit lanes */

typedef float32x4_t vf32;
typedef uint32x4_t vi32;
typedef uint32x4_t vm32; /* all bits of a lane equal */
enum { F32_LANES = 4 };

GELU_INLINE vf32 f32_set(float x) { return vdupq_n_f32(x); }
GELU_INLINE vi32 i32_set(uint32_t x) { return vdupq_n_u32(x); }

GELU_INLINE vf32 f32_load(const float *p) { return vld1q_f32(p); }
GELU_INLINE void f32_store(float *p, vf32 v) { vst1q_f32(p, v); }
GELU_INLINE vf32 f32_load_partial(const float *p, size_t n)
{
    float lane[4] = {1.0f, 1.0f, 1.0f, 1.0f};
    for (size_t i = 0; i < n; i++)
        lane[i] = p[i];
    return vld1q_f32(lane);
}
GELU_INLINE void f32_store_partial(float *p, vf32 v, size_t n)
{
    float lane[4];
    vst1q_f32(lane, v);
    for (size_t i = 0; i < n; i++)
        p[i] = lane[i];
}

GELU_INLINE vi32 f32_bits(vf32 v) { return vreinterpretq_u32_f32(v); }
GELU_INLINE vf32 i32_float(vi32 v) { return vreinterpretq_f32_u32(v); }
GELU_INLINE vi32 i32_and(vi32 a, vi32 b) { return vandq_u32(a, b); }
GELU_INLINE vi32 i32_or(vi32 a, vi32 b) { return vorrq_u32(a, b); }
GELU_INLINE vi32 i32_xor(vi32 a, vi32 b) { return veorq_u32(a, b); }
GELU_INLINE vi32 i32_andnot(vi32 a, vi32 b) { return vbicq_u32(b, a); }
GELU_INLINE vi32 i32_add(vi32 a, vi32 b) { return vaddq_u32(a, b); }
GELU_INLINE vi32 i32_sub(vi32 a, vi32 b) { return vsubq_u32(a, b); }
GELU_INLINE vi32 i32_shl(vi32 v, unsigned k) { return vshlq_u32(v, vdupq_n_s32((int)k)); }
GELU_INLINE vi32 i32_shr(vi32 v, unsigned k) { return vshlq_u32(v, vdupq_n_s32(-(int)k)); }
GELU_INLINE vi32 i32_umin(vi32 a, vi32 b) { return vminq_u32(a, b); }
GELU_INLINE vi32 i32_umax(vi32 a, vi32 b) { return vmaxq_u32(a, b); }

GELU_INLINE vm32 i32_eq(vi32 a, vi32 b) { return vceqq_u32(a, b); }
GELU_INLINE vm32 i32_gt(vi32 a, vi32 b)
{
    return vcgtq_s32(vreinterpretq_s32_u32(a), vreinterpretq_s32_u32(b));
}
GELU_INLINE vm32 f32_eq(vf32 a, vf32 b) { return vceqq_f32(a, b); }
GELU_INLINE vm32 f32_lt_signalling(vf32 a, vf32 b) { return vcltq_f32(a, b); }

GELU_INLINE vm32 m32_and(vm32 a, vm32 b) { return vandq_u32(a, b); }
GELU_INLINE vm32 m32_or(vm32 a, vm32 b) { return vorrq_u32(a, b); }
GELU_INLINE unsigned m32_lanes(vm32 m)
{
    const vi32 bit = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(m, bit));
}
GELU_INLINE int m32_all(vm32 m) { return vminvq_u32(m) != 0; }
GELU_INLINE vi32 i32_select(vm32 m, vi32 a, vi32 b) { return vbslq_u32(m, a, b); }
GELU_INLINE vf32 f32_select(vm32 m, vf32 a, vf32 b) { return vbslq_f32(m, a, b); }
GELU_INLINE vf32 f32_keep(vm32 m, vf32 a) { return i32_float(vandq_u32(m, f32_bits(a))); }

GELU_INLINE vf32 f32_add(vf32 a, vf32 b) { return vaddq_f32(a, b); }
GELU_INLINE vf32 f32_sub(vf32 a, vf32 b) { return vsubq_f32(a, b); }
GELU_INLINE vf32 f32_mul(vf32 a, vf32 b) { return vmulq_f32(a, b); }
GELU_INLINE vf32 f32_div(vf32 a, vf32 b) { return vdivq_f32(a, b); }
GELU_INLINE vf32 f32_fma(vf32 a, vf32 b, vf32 c) { return vfmaq_f32(c, a, b); }
GELU_INLINE vf32 f32_fms(vf32 a, vf32 b, vf32 c) { return vfmaq_f32(vnegq_f32(c), a, b); }
GELU_INLINE vf32 f32_fnma(vf32 a, vf32 b, vf32 c) { return vfmsq_f32(c, a, b); }
GELU_INLINE vf32 f32_round(vf32 v) { return v; }

/* A byte look-up in 64 bytes: entry i is bytes 4i…4i+3. */
typedef struct {
    _Alignas(64) uint32_t word[16];
} f32_table;
#define F32_TABLE(...)                                                                             \
    {                                                                                              \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
GELU_INLINE uint8x16_t bytes_of_entry(vi32 i, uint32_t last)
{
    vi32 offset = vmulq_u32(vandq_u32(i, vdupq_n_u32(last)), vdupq_n_u32(0x04040404));
    return vreinterpretq_u8_u32(vaddq_u32(offset, vdupq_n_u32(0x03020100)));
}
GELU_INLINE vi32 i32_lookup(const f32_table *table, vi32 i)
{
    uint8x16x4_t bytes = vld1q_u8_x4((const uint8_t *)table->word);
    return vreinterpretq_u32_u8(vqtbl4q_u8(bytes, bytes_of_entry(i, 15)));
}
enum { F32_NEAR_ENTRIES = 8 };
GELU_INLINE vi32 i32_lookup_near(const f32_table *table, vi32 i)
{
    uint8x16x2_t bytes = vld1q_u8_x2((const uint8_t *)table->word);
    return vreinterpretq_u32_u8(vqtbl2q_u8(bytes, bytes_of_entry(i, 7)));
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

typedef float64x2_t vf64;
typedef uint64x2_t vi64;
typedef uint64x2_t vm64;
enum { F64_LANES = 2 };

GELU_INLINE vf64 f64_set(double x) { return vdupq_n_f64(x); }
GELU_INLINE vi64 i64_set(uint64_t x) { return vdupq_n_u64(x); }

GELU_INLINE vf64 f64_load(const double *p) { return vld1q_f64(p); }
GELU_INLINE void f64_store(double *p, vf64 v) { vst1q_f64(p, v); }
GELU_INLINE vf64 f64_load_partial(const double *p, size_t n)
{
    return n ? vsetq_lane_f64(*p, f64_set(1.0), 0) : f64_set(1.0);
}
GELU_INLINE void f64_store_partial(double *p, vf64 v, size_t n)
{
    if (n)
        *p = vgetq_lane_f64(v, 0);
}

GELU_INLINE vi64 f64_bits(vf64 v) { return vreinterpretq_u64_f64(v); }
GELU_INLINE vf64 i64_float(vi64 v) { return vreinterpretq_f64_u64(v); }
GELU_INLINE vi64 i64_and(vi64 a, vi64 b) { return vandq_u64(a, b); }
GELU_INLINE vi64 i64_or(vi64 a, vi64 b) { return vorrq_u64(a, b); }
GELU_INLINE vi64 i64_xor(vi64 a, vi64 b) { return veorq_u64(a, b); }
GELU_INLINE vi64 i64_andnot(vi64 a, vi64 b) { return vbicq_u64(b, a); }
GELU_INLINE vi64 i64_add(vi64 a, vi64 b) { return vaddq_u64(a, b); }
GELU_INLINE vi64 i64_sub(vi64 a, vi64 b) { return vsubq_u64(a, b); }
GELU_INLINE vi64 i64_shl(vi64 v, unsigned k) { return vshlq_u64(v, vdupq_n_s64((int)k)); }
GELU_INLINE vi64 i64_shr(vi64 v, unsigned k) { return vshlq_u64(v, vdupq_n_s64(-(int)k)); }
GELU_INLINE vi64 i64_umin(vi64 a, vi64 b) { return vbslq_u64(vcgtq_u64(a, b), b, a); }
GELU_INLINE vi64 i64_umax(vi64 a, vi64 b) { return vbslq_u64(vcgtq_u64(a, b), a, b); }

GELU_INLINE vm64 i64_eq(vi64 a, vi64 b) { return vceqq_u64(a, b); }
GELU_INLINE vm64 i64_gt(vi64 a, vi64 b)
{
    return vcgtq_s64(vreinterpretq_s64_u64(a), vreinterpretq_s64_u64(b));
}
GELU_INLINE vm64 f64_eq(vf64 a, vf64 b) { return vceqq_f64(a, b); }
GELU_INLINE vm64 f64_lt_signalling(vf64 a, vf64 b) { return vcltq_f64(a, b); }

GELU_INLINE vm64 m64_and(vm64 a, vm64 b) { return vandq_u64(a, b); }
GELU_INLINE vm64 m64_or(vm64 a, vm64 b) { return vorrq_u64(a, b); }
GELU_INLINE unsigned m64_lanes(vm64 m)
{
    const vi64 bit = {1, 2};
    return (unsigned)vaddvq_u64(vandq_u64(m, bit));
}
GELU_INLINE int m64_all(vm64 m) { return vminvq_u32(vreinterpretq_u32_u64(m)) != 0; }
GELU_INLINE vi64 i64_select(vm64 m, vi64 a, vi64 b) { return vbslq_u64(m, a, b); }
GELU_INLINE vf64 f64_select(vm64 m, vf64 a, vf64 b) { return vbslq_f64(m, a, b); }
GELU_INLINE vf64 f64_keep(vm64 m, vf64 a) { return i64_float(vandq_u64(m, f64_bits(a))); }

GELU_INLINE vf64 f64_add(vf64 a, vf64 b) { return vaddq_f64(a, b); }
GELU_INLINE vf64 f64_sub(vf64 a, vf64 b) { return vsubq_f64(a, b); }
GELU_INLINE vf64 f64_mul(vf64 a, vf64 b) { return vmulq_f64(a, b); }
GELU_INLINE vf64 f64_div(vf64 a, vf64 b) { return vdivq_f64(a, b); }
GELU_INLINE vf64 f64_fma(vf64 a, vf64 b, vf64 c) { return vfmaq_f64(c, a, b); }
GELU_INLINE vf64 f64_fms(vf64 a, vf64 b, vf64 c) { return vfmaq_f64(vnegq_f64(c), a, b); }
GELU_INLINE vf64 f64_fnma(vf64 a, vf64 b, vf64 c) { return vfmsq_f64(c, a, b); }

GELU_INLINE void i64_store_low(uint32_t *p, vi64 v) { vst1_u32(p, vmovn_u64(v)); }
GELU_INLINE vf64 f64_row_pair(vrow64 row, int k, vf64 *second)
{
    vf64 even = vld1q_f64(row.base + row.offset[0] + 2 * k);
    vf64 odd = vld1q_f64(row.base + row.offset[1] + 2 * k);
    *second = vzip2q_f64(even, odd);
    return vzip1q_f64(even, odd);
}

#include "derived.h"

#endif
