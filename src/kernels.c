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

/* ---- float32. For each function f the mathematics supplies
     f_ordinary_f32(x, near)  the lanes in which f_fast_f32(x, near) is right; near is 1 for fewer
                              numbers, those that are frequent, at less cost
     f_fast_f32(x, near)
     f_special_f32(x)         right in the lanes that are not ordinary.

   A block of numbers is done in two steps: every vector by the near path, without a branch; then the
   lanes for which that was wrong, packed together, so that a rare number costs what it costs alone. */

enum { BLOCK_F32 = 1024 };

typedef vm32 test_f32(vf32 x, int near);
typedef vf32 fast_f32(vf32 x, int near);
typedef vf32 special_f32(vf32 x);

/* Appends 4k + the place of each bit of a 4-bit number to a list, and returns its new length; writes
   four places in any case. */
GELU_INLINE size_t list_bits(uint16_t *list, size_t length, unsigned bits, size_t first)
{
#define PLACES(a, b, c, d)                                                                         \
    {                                                                                              \
        a, b, c, d                                                                                 \
    }
    static const uint16_t place[16][4] = {
        PLACES(0, 0, 0, 0), PLACES(0, 0, 0, 0), PLACES(1, 0, 0, 0), PLACES(0, 1, 0, 0),
        PLACES(2, 0, 0, 0), PLACES(0, 2, 0, 0), PLACES(1, 2, 0, 0), PLACES(0, 1, 2, 0),
        PLACES(3, 0, 0, 0), PLACES(0, 3, 0, 0), PLACES(1, 3, 0, 0), PLACES(0, 1, 3, 0),
        PLACES(2, 3, 0, 0), PLACES(0, 2, 3, 0), PLACES(1, 2, 3, 0), PLACES(0, 1, 2, 3),
    };
    static const uint8_t count[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    for (int i = 0; i < 4; i++)
        list[length + (size_t)i] = (uint16_t)(place[bits][i] + first);
    return length + count[bits];
}

/* Where in a block the near path was wrong; there y still holds x. */
typedef struct {
    size_t vectors; /* with such a lane */
    uint16_t start[BLOCK_F32 / F32_LANES + 1], lanes[BLOCK_F32 / F32_LANES + 1];
} rest_f32;

GELU_INLINE vf32 near_f32(test_f32 *ordinary, fast_f32 *fast, vf32 x, size_t at, rest_f32 *rest)
{
    const unsigned all = (1u << F32_LANES) - 1;
    vm32 near = ordinary(x, 1);
    unsigned other = all ^ m32_lanes(near);
    rest->start[rest->vectors] = (uint16_t)at;
    rest->lanes[rest->vectors] = (uint16_t)other;
    rest->vectors += other != 0;
    return f32_select(near, fast(x, 1), x);
}

GELU_INLINE void near_block_f32(test_f32 *ordinary, fast_f32 *fast, const float *x, float *y,
                                size_t n, rest_f32 *rest)
{
    size_t i = 0;
    for (rest->vectors = 0; n - i >= F32_LANES; i += F32_LANES)
        f32_store(y + i, near_f32(ordinary, fast, f32_load(x + i), i, rest));
    if (i < n) {
        vf32 lanes = f32_load_partial(x + i, n - i);
        f32_store_partial(y + i, near_f32(ordinary, fast, lanes, i, rest), n - i);
    }
}

GELU_INLINE vf32 any_f32(test_f32 *ordinary, fast_f32 *fast, special_f32 *special, vf32 x)
{
    vm32 m = ordinary(x, 0);
    if (m32_all(m))
        return fast(x, 0);
    vf32 y = special(x);
    return m32_lanes(m) ? f32_select(m, fast(x, 0), y) : y;
}

/* Returns how many numbers were not near. */
GELU_INLINE size_t any_block_f32(test_f32 *ordinary, fast_f32 *fast, special_f32 *special,
                                 const float *x, float *y, size_t n)
{
    size_t i = 0, near = 0;
    for (; n - i >= F32_LANES; i += F32_LANES) {
        vf32 lanes = f32_load(x + i);
        near += gelu_bit_count(m32_lanes(ordinary(lanes, 1)));
        f32_store(y + i, any_f32(ordinary, fast, special, lanes));
    }
    if (i < n) {
        vf32 lanes = f32_load_partial(x + i, n - i);
        f32_store_partial(y + i, any_f32(ordinary, fast, special, lanes), n - i);
    }
    return i - near;
}

/* The places in the block of all such lanes; returns how many. */
GELU_NOINLINE size_t places_f32(const rest_f32 *rest, uint16_t *place)
{
    size_t n = 0;
    for (size_t k = 0; k < rest->vectors; k++)
        for (unsigned lane = 0; lane < F32_LANES; lane += 4)
            n = list_bits(place, n, rest->lanes[k] >> lane & 15, rest->start[k] + lane);
    return n;
}

GELU_NOINLINE void gather_f32(float *packed, const float *y, const uint16_t *place, size_t n)
{
    for (size_t k = 0; k < n; k++)
        packed[k] = y[place[k]];
}

GELU_NOINLINE void scatter_f32(const float *packed, float *y, const uint16_t *place, size_t n)
{
    for (size_t k = 0; k < n; k++)
        y[place[k]] = packed[k];
}

typedef size_t block_f32(const float *x, float *y, size_t n);

/* Returns how many lanes that were. */
GELU_NOINLINE size_t rest_of_block_f32(block_f32 *any_block, float *y, const rest_f32 *rest)
{
    uint16_t place[BLOCK_F32 + 4];
    float packed[BLOCK_F32];
    size_t n = places_f32(rest, place);
    gather_f32(packed, y, place, n);
    any_block(packed, packed, n);
    scatter_f32(packed, y, place, n);
    return n;
}

#define DEFINE_F32(f)                                                                              \
    GELU_NOINLINE size_t f##_any_block_f32(const float *x, float *y, size_t n)                     \
    {                                                                                              \
        return any_block_f32(f##_ordinary_f32, f##_fast_f32, f##_special_f32, x, y, n);            \
    }                                                                                              \
    static void f##_kernel_f32(const void *in, void *out, size_t n)                                \
    {                                                                                              \
        const float *x = in;                                                                       \
        float *y = out;                                                                            \
        rest_f32 rest;                                                                             \
        size_t others = 0;                                                                         \
        for (size_t length; n > 0; n -= length, x += length, y += length) {                        \
            length = n < BLOCK_F32 ? n : BLOCK_F32;                                                \
            if (GELU_UNLIKELY(2 * others > BLOCK_F32)) {                                           \
                others = f##_any_block_f32(x, y, length);                                          \
                continue;                                                                          \
            }                                                                                      \
            near_block_f32(f##_ordinary_f32, f##_fast_f32, x, y, length, &rest);                   \
            others = rest.vectors ? rest_of_block_f32(f##_any_block_f32, y, &rest) : 0;            \
        }                                                                                          \
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

/* float16, by float32. */
enum { BLOCK_F16 = 512 };

static void widen_f16(const uint16_t *x, float *y, size_t n)
{
    size_t i = 0;
    for (; n - i >= F32_LANES; i += F32_LANES)
        f32_store(y + i, f32_load_f16(x + i));
    if (i < n) {
        uint16_t rest[F32_LANES] = {0};
        memcpy(rest, x + i, (n - i) * sizeof *x);
        f32_store_partial(y + i, f32_load_f16(rest), n - i);
    }
}

static void narrow_f16(const float *x, uint16_t *y, size_t n)
{
    size_t i = 0;
    for (; n - i >= F32_LANES; i += F32_LANES)
        f32_store_f16(y + i, f32_load(x + i));
    if (i < n) {
        uint16_t rest[F32_LANES];
        f32_store_f16(rest, f32_load_partial(x + i, n - i));
        memcpy(y + i, rest, (n - i) * sizeof *y);
    }
}

#define DEFINE_F16(f)                                                                              \
    static void f##_kernel_f16(const void *in, void *out, size_t n)                                \
    {                                                                                              \
        const uint16_t *x = in;                                                                    \
        uint16_t *y = out;                                                                         \
        float block[BLOCK_F16];                                                                    \
        for (size_t length; n > 0; n -= length, x += length, y += length) {                        \
            length = n < BLOCK_F16 ? n : BLOCK_F16;                                                \
            widen_f16(x, block, length);                                                           \
            f##_kernel_f32(block, block, length);                                                  \
            narrow_f16(block, y, length);                                                          \
        }                                                                                          \
    }

#define X(f, ...) DEFINE_F32(f) DEFINE_F64(f) DEFINE_F16(f)
GELU_FUNCTIONS(X)
#undef X

extern const gelu_level JOIN(gelu_level_, GELU_LEVEL);
const gelu_level JOIN(gelu_level_, GELU_LEVEL) = {
    .name = TEXT(GELU_LEVEL),
    .has_fma = SIMD_HAS_FMA,
    .kernel =
        {
#define X(f, ...)                                                                                  \
    [GELU_ID_##f] = {[GELU_float16] = f##_kernel_f16,                                              \
                     [GELU_float32] = f##_kernel_f32,                                              \
                     [GELU_float64] = f##_kernel_f64},
            GELU_FUNCTIONS(X)
#undef X
        },
};
