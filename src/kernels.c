/* The kernels of one SIMD level: compiled once per level, GELU_LEVEL being its name. Knows no
   mathematics. Every element of an array, in its body and in its remainder, goes through the same
   vector code, so a result depends on its own input alone. */
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

/* clang-format off */
#include TEXT(simd/GELU_LEVEL.h)
/* clang-format on */

#define GELU_COMPILE_KERNELS
#include "internal.h"

/* For each function f and F in f32, f64, the mathematics supplies
     f_ordinary_F(x)    the lanes in which f_fast_F is right: usually all;
     f_fast_F(x)
     f_special_F(x)     right in the others;
     f_locate_f64(x)    for f_fast_f64: where in its tables each lane will read.
   Ordinary vectors have a loop of their own, without a call in it: their tables stay in registers. */

#define DEFINE_F32(f)                                                                                \
    GELU_NOINLINE vf32 f##_mixed_f32(vf32 x)                                                         \
    {                                                                                                \
        vm32 ordinary = f##_ordinary_f32(x);                                                         \
        vf32 special = f##_special_f32(x);                                                           \
        return m32_lanes(ordinary) ? f32_select(ordinary, f##_fast_f32(x), special) : special;       \
    }                                                                                                \
                                                                                                     \
    GELU_INLINE int f##_all_ordinary_f32(vf32 x) { return m32_all(f##_ordinary_f32(x)); }            \
                                                                                                     \
    /* From i on, up to the first vector that is not all ordinary, or the last whole one. f_fast   \
       comes before the question, for what is done in any case compilers take out of the loop. */ \
    GELU_INLINE size_t f##_ordinary_run_f32(const float *x, float *y, size_t i, size_t n)            \
    {                                                                                                \
        for (; n - i >= F32_LANES; i += F32_LANES) {                                                 \
            vf32 lanes = f32_load(x + i), result = f##_fast_f32(lanes);                              \
            if (GELU_UNLIKELY(!f##_all_ordinary_f32(lanes)))                                         \
                break;                                                                               \
            f32_store(y + i, result);                                                                \
        }                                                                                            \
        return i;                                                                                    \
    }                                                                                                \
                                                                                                     \
    static void f##_kernel_f32(const void *in, void *out, size_t n)                                  \
    {                                                                                                \
        const float *x = in;                                                                         \
        float *y = out;                                                                              \
        size_t i = 0;                                                                                \
        while (i = f##_ordinary_run_f32(x, y, i, n), n - i >= F32_LANES)                             \
            do {                                                                                     \
                f32_store(y + i, f##_mixed_f32(f32_load(x + i)));                                    \
                i += F32_LANES;                                                                      \
            } while (n - i >= F32_LANES && !f##_all_ordinary_f32(f32_load(x + i)));                  \
        if (i < n) {                                                                                 \
            vf32 rest = f32_load_partial(x + i, n - i);                                              \
            rest = f##_all_ordinary_f32(rest) ? f##_fast_f32(rest) : f##_mixed_f32(rest);            \
            f32_store_partial(y + i, rest, n - i);                                                   \
        }                                                                                            \
    }

/* Elements of float64 located before the first of them is evaluated. */
enum { BLOCK_F64 = 128 };

GELU_INLINE vf64 load_f64(const double *p, size_t left)
{
    return left >= F64_LANES ? f64_load(p) : f64_load_partial(p, left);
}
GELU_INLINE void store_f64(double *p, vf64 v, size_t left)
{
    if (left >= F64_LANES)
        f64_store(p, v);
    else
        f64_store_partial(p, v, left);
}

#define DEFINE_F64(f)                                                                              \
    GELU_NOINLINE vf64 f##_mixed_f64(vf64 x, const uint32_t *offset)                               \
    {                                                                                              \
        vm64 ordinary = f##_ordinary_f64(x);                                                       \
        vf64 special = f##_special_f64(x);                                                         \
        if (!m64_lanes(ordinary))                                                                  \
            return special;                                                                        \
        return f64_select(ordinary, f##_fast_f64(x, offset), special);                             \
    }                                                                                              \
                                                                                                   \
    GELU_INLINE vf64 f##_lanes_f64(vf64 x, const uint32_t *offset)                                 \
    {                                                                                              \
        if (GELU_UNLIKELY(!m64_all(f##_ordinary_f64(x))))                                          \
            return f##_mixed_f64(x, offset);                                                       \
        return f##_fast_f64(x, offset);                                                            \
    }                                                                                              \
                                                                                                   \
    static void f##_kernel_f64(const void *in, void *out, size_t n)                                \
    {                                                                                              \
        const double *x = in;                                                                      \
        double *y = out;                                                                           \
        uint32_t offset[BLOCK_F64];                                                                \
        for (size_t length; n > 0; n -= length, x += length, y += length) {                        \
            length = n < BLOCK_F64 ? n : BLOCK_F64;                                                \
            for (size_t i = 0; i < length; i += F64_LANES)                                         \
                i64_store_low(offset + i, f##_locate_f64(load_f64(x + i, length - i)));            \
            for (size_t i = 0; i < length; i += F64_LANES) {                                       \
                vf64 lanes = f##_lanes_f64(load_f64(x + i, length - i), offset + i);               \
                store_f64(y + i, lanes, length - i);                                               \
            }                                                                                      \
        }                                                                                          \
    }

#define X(f, ...) DEFINE_F32(f) DEFINE_F64(f)
GELU_FUNCTIONS(X)
#undef X

extern const gelu_level JOIN(gelu_level_, GELU_LEVEL);
const gelu_level JOIN(gelu_level_, GELU_LEVEL) = {
    .name = TEXT(GELU_LEVEL),
    .has_fma = SIMD_HAS_FMA,
    .kernel =
        {
#define X(f, ...)                                                                                  \
    [GELU_ID_##f] = {[GELU_float32] = f##_kernel_f32, [GELU_float64] = f##_kernel_f64},
            GELU_FUNCTIONS(X)
#undef X
        },
};
