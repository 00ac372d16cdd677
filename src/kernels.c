/* The kernels of one SIMD level: compiled once per level, GELU_LEVEL being its name. Knows no
   mathematics. Every element of an array, in its body and in its remainder, goes through the same
   vector code, so a result depends on its own input alone. */
#include "macros.h"

/* clang-format off */
#include TEXT(simd/GELU_LEVEL.h)
/* clang-format on */

#define GELU_COMPILE_KERNELS
#include "fpstatus.h"
#include "internal.h"

/* Numbers walked over at a time: few enough for the L1 cache. From so many rare ones on packing them
   costs more than it saves, as measured with AVX-512 and AVX2. */
enum { BLOCK = 1024, MOSTLY_RARE = BLOCK / 4 * 3 };

/* Appends first + the place of each bit of a 4-bit number to a list, and returns its new length; writes
   four places in any case. */
GELU_INLINE size_t list_bits(uint16_t *list, size_t length, unsigned bits, size_t first)
{
    static const uint16_t place[16][4] = {
        {0}, {0},    {1},    {0, 1},    {2},    {0, 2},    {1, 2},    {0, 1, 2},
        {3}, {0, 3}, {1, 3}, {0, 1, 3}, {2, 3}, {0, 2, 3}, {1, 2, 3}, {0, 1, 2, 3},
    };
    static const uint8_t count[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    for (int i = 0; i < 4; i++)
        list[length + (size_t)i] = (uint16_t)(place[bits][i] + first);
    return length + count[bits];
}

#define W 32
#include "blocks.h"
#define W 64
#include "blocks.h"

/* ---- float32. For each function f the mathematics supplies
     f_ordinary_f32(x, near)  the lanes in which f_fast_f32(x, near) is right; near is 1 for fewer
                              numbers, those that are frequent, at less cost
     f_fast_f32(x, near)
     f_special_f32(x)         right in the lanes that are not ordinary. */

typedef vm32 ordinary_f32(vf32 x, int near);
typedef vf32 fast_f32(vf32 x, int near);
typedef vf32 special_f32(vf32 x);

GELU_INLINE void near_vectors_f32(ordinary_f32 *ordinary, fast_f32 *fast, const float *x, float *y,
                                  size_t n, rest_f32 *rest)
{
    for (size_t i = 0; i < n; i += F32_LANES) {
        vf32 lanes = f32_load(x + i);
        vm32 near = ordinary(lanes, 1);
        note_f32(rest, i, m32_lanes(near));
        f32_store(y + i, f32_select(near, fast(lanes, 1), lanes));
    }
}

GELU_INLINE vf32 any_vector_f32(ordinary_f32 *ordinary, fast_f32 *fast, special_f32 *special,
                                vf32 x)
{
    vm32 m = ordinary(x, 0);
    vf32 y = m32_lanes(m) ? fast(x, 0) : x;
    return m32_all(m) ? y : f32_select(m, y, special(x));
}

GELU_INLINE size_t any_vectors_f32(ordinary_f32 *ordinary, fast_f32 *fast, special_f32 *special,
                                   const float *x, float *y, size_t n)
{
    size_t near = 0;
    for (size_t i = 0; i < n; i += F32_LANES) {
        vf32 lanes = load_f32(x + i, n - i);
        near += gelu_bit_count(m32_lanes(ordinary(lanes, 1)));
        store_f32(y + i, any_vector_f32(ordinary, fast, special, lanes), n - i);
    }
    return n - (near < n ? near : n);
}

#define DEFINE_F32(f)                                                                              \
    GELU_NOINLINE size_t f##_any_f32(const float *x, float *y, size_t n)                           \
    {                                                                                              \
        return any_vectors_f32(f##_ordinary_f32, f##_fast_f32, f##_special_f32, x, y, n);          \
    }                                                                                              \
    GELU_NOINLINE void f##_near_f32(const float *x, float *y, size_t n, rest_f32 *rest)            \
    {                                                                                              \
        near_vectors_f32(f##_ordinary_f32, f##_fast_f32, x, y, n, rest);                           \
    }                                                                                              \
    static void f##_kernel_f32(const void *x, void *y, size_t n)                                   \
    {                                                                                              \
        kernel_f32(f##_near_f32, f##_any_f32, x, y, n);                                            \
    }

/* ---- float64: the same, but that f_fast_f64(x, offset) is in two steps. f_locate_f64(x), where in its
   tables each lane will read, must be in memory, and waiting for a store just made takes longer than all
   else: the first step is taken for some numbers ahead. */

enum { AHEAD = 128 };

typedef vm64 ordinary_f64(vf64 x);
typedef vi64 locate_f64(vf64 x);
typedef vf64 fast_f64(vf64 x, const uint32_t *offset);
typedef vf64 special_f64(vf64 x);

GELU_INLINE void near_vectors_f64(ordinary_f64 *ordinary, locate_f64 *locate, fast_f64 *fast,
                                  const double *x, double *y, size_t n, rest_f64 *rest)
{
    uint32_t offset[AHEAD];
    for (size_t from = 0; from < n; from += AHEAD) {
        const size_t to = n - from < AHEAD ? n : from + AHEAD;
        for (size_t i = from; i < to; i += F64_LANES)
            i64_store_low(offset + (i - from), locate(f64_load(x + i)));
        for (size_t i = from; i < to; i += F64_LANES) {
            vf64 lanes = f64_load(x + i);
            vm64 near = ordinary(lanes);
            note_f64(rest, i, m64_lanes(near));
            f64_store(y + i, f64_select(near, fast(lanes, offset + (i - from)), lanes));
        }
    }
}

GELU_INLINE vf64 any_vector_f64(ordinary_f64 *ordinary, locate_f64 *locate, fast_f64 *fast,
                                special_f64 *special, vf64 x)
{
    vm64 m = ordinary(x);
    vf64 y = x;
    if (m64_lanes(m)) {
        uint32_t offset[F64_LANES];
        i64_store_low(offset, locate(x));
        y = fast(x, offset);
    }
    return m64_all(m) ? y : f64_select(m, y, special(x));
}

GELU_INLINE size_t any_vectors_f64(ordinary_f64 *ordinary, locate_f64 *locate, fast_f64 *fast,
                                   special_f64 *special, const double *x, double *y, size_t n)
{
    size_t near = 0;
    for (size_t i = 0; i < n; i += F64_LANES) {
        vf64 lanes = load_f64(x + i, n - i);
        near += gelu_bit_count(m64_lanes(ordinary(lanes)));
        store_f64(y + i, any_vector_f64(ordinary, locate, fast, special, lanes), n - i);
    }
    return n - (near < n ? near : n);
}

#define DEFINE_F64(f)                                                                              \
    GELU_NOINLINE size_t f##_any_f64(const double *x, double *y, size_t n)                         \
    {                                                                                              \
        return any_vectors_f64(f##_ordinary_f64, f##_locate_f64, f##_fast_f64, f##_special_f64, x, \
                               y, n);                                                              \
    }                                                                                              \
    GELU_NOINLINE void f##_near_f64(const double *x, double *y, size_t n, rest_f64 *rest)          \
    {                                                                                              \
        near_vectors_f64(f##_ordinary_f64, f##_locate_f64, f##_fast_f64, x, y, n, rest);           \
    }                                                                                              \
    static void f##_kernel_f64(const void *x, void *y, size_t n)                                   \
    {                                                                                              \
        kernel_f64(f##_near_f64, f##_any_f64, x, y, n);                                            \
    }

#define X(f, ...) DEFINE_F32(f) DEFINE_F64(f)
GELU_FUNCTIONS(X)
#undef X

#define W 32
#include "steps.h"
#define W 64
#include "steps.h"

#include "convert.h"

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
    .steps = {[GELU_float32] = {add_f32, multiply_f32, swish_step_f32},
              [GELU_float64] = {add_f64, multiply_f64, swish_step_f64}},
    .widen = {widen_float16, widen_bfloat16},
    .narrow = {narrow_float16, narrow_bfloat16},
};
