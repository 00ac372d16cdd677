/* One level's vocabulary behind plain C functions: compiled once per level, as src/kernels.c is. */
#include "macros.h"

/* clang-format off */ /* it takes the slash for a division */
#include TEXT(simd/GELU_LEVEL.h)
/* clang-format on */

#include "vocabulary.h"

#define EXPAND(macro, ...) macro(__VA_ARGS__)
static const f32_table number_table = EXPAND(F32_TABLE, NUMBER_TABLE);
static const f32_table word_table = EXPAND(F32_TABLE, WORD_TABLE);

typedef uint32_t word32;
typedef uint64_t word64;

/* A lane's mask is its sign bit. */
GELU_INLINE vm32 m32_sign(vf32 v) { return i32_gt(i32_set(0), f32_bits(v)); }
GELU_INLINE vm64 m64_sign(vf64 v) { return i64_gt(i64_set(0), f64_bits(v)); }

GELU_INLINE void write_f32(word32 *out, vf32 v) { f32_store((float *)out, v); }
GELU_INLINE void write_f64(word64 *out, vf64 v) { f64_store((double *)out, v); }
/* Not through i32_float, which may be a conversion and change a signalling NaN. */
GELU_INLINE void write_i32(word32 *out, vi32 v) { memcpy(out, &v, sizeof v); }
GELU_INLINE void write_i64(word64 *out, vi64 v) { memcpy(out, &v, sizeof v); }
GELU_INLINE void write_m32(word32 *out, vm32 m)
{
    for (unsigned lane = 0; lane < F32_LANES; lane++)
        out[lane] = m32_lanes(m) >> lane & 1;
}
GELU_INLINE void write_m64(word64 *out, vm64 m)
{
    for (unsigned lane = 0; lane < F64_LANES; lane++)
        out[lane] = m64_lanes(m) >> lane & 1;
}

/* For each lane a row of c, from one of its first 2^14 numbers on. */
GELU_INLINE vrow64 rows_at(const double *c, vi64 i, uint32_t *offset)
{
    i64_store_low(offset, i64_shr(i, 50));
    return (vrow64){c, offset};
}

/* The whole loop around one expression. */
#define DEFINE(kind, W, name, expression)                                                          \
    static void name##_##W(const operands *x)                                                      \
    {                                                                                              \
        const number##W *A = x->a, *B = x->b, *C = x->c;                                           \
        const unsigned k = x->k;                                                                   \
        word##W first;                                                                             \
        memcpy(&first, A, sizeof first);                                                           \
        for (size_t at = 0; at < x->n; at += F##W##_LANES) {                                       \
            vf##W a = f##W##_load(A + at), b = f##W##_load(B + at), c = f##W##_load(C + at);       \
            uint32_t offset[MOST_LANES];                                                           \
            vf##W high, rest;                                                                      \
            vi##W i = f##W##_bits(a), j = f##W##_bits(b);                                          \
            vm##W m = m##W##_sign(c), o = m##W##_sign(b);                                          \
            write_##kind##W((word##W *)x->out + at, expression);                                   \
            (void)c, (void)high, (void)rest, (void)offset, (void)i, (void)j, (void)m, (void)o,     \
                (void)k;                                                                           \
        }                                                                                          \
    }
#define NUMBER32(name, expression, plain) DEFINE(f, 32, name, expression)
#define NUMBER64(name, expression, plain) DEFINE(f, 64, name, expression)
#define BITS32(name, expression, plain) DEFINE(i, 32, name, expression)
#define BITS64(name, expression, plain) DEFINE(i, 64, name, expression)
#define MASK32(name, expression, plain) DEFINE(m, 32, name, expression)
#define MASK64(name, expression, plain) DEFINE(m, 64, name, expression)

#define DEFINE_WIDTH(W)                                                                            \
    ARITHMETIC(NUMBER##W, W)                                                                       \
    NUMBERS_##W(NUMBER##W, W) ON_BITS(BITS##W, W) BITS_##W(BITS##W, W) CONDITIONS(MASK##W, W)      \
        IN_DOMAIN(NUMBER##W, W) static void                                                        \
        load_partial_##W(const void *from, size_t n, void *lanes)                                  \
    {                                                                                              \
        f##W##_store(lanes, f##W##_load_partial(from, n));                                         \
    }                                                                                              \
    static void store_partial_##W(void *to, const void *lanes, size_t n)                           \
    {                                                                                              \
        f##W##_store_partial(to, f##W##_load(lanes), n);                                           \
    }                                                                                              \
    static unsigned mask_lanes_##W(const void *c)                                                  \
    {                                                                                              \
        return m##W##_lanes(m##W##_sign(f##W##_load(c)));                                          \
    }                                                                                              \
    static int mask_all_##W(const void *c) { return m##W##_all(m##W##_sign(f##W##_load(c))); }

DEFINE_WIDTH(32)
DEFINE_WIDTH(64)

#define ENTRY32(name, ...) [OP_##name] = name##_32,
#define ENTRY64(name, ...) [OP_##name] = name##_64,
#define WIDTH(W)                                                                                   \
    {F##W##_LANES, {OPERATIONS(ENTRY##W, W)}, load_partial_##W, store_partial_##W, mask_lanes_##W, \
     mask_all_##W}

extern const vocabulary JOIN(vocabulary_, GELU_LEVEL);
const vocabulary JOIN(vocabulary_, GELU_LEVEL) = {
    TEXT(GELU_LEVEL),
    SIMD_HAS_FMA,
    WIDTH(32),
    WIDTH(64),
};
