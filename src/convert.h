/* Between a half type and float32, whose sign, exponent and fraction lie in the same order: included by
   kernels.c. In plain C without a branch, of which compilers make vectors for each level. */
#ifndef GELU_CONVERT_H
#define GELU_CONVERT_H

#include <float.h>
#include <string.h>

typedef struct {
    unsigned dropped;  /* bits of float32's fraction that the format has not */
    uint32_t rebias;   /* difference of the exponents' biases, in float32's exponent field */
    uint32_t infinity; /* as the format's word */
    uint32_t smallest; /* normal number, likewise */
    float rounder;     /* its ulp is the format's subnormal spacing: adding it rounds to that */
} format;

static const format formats[GELU_HALF_COUNT] = {
    [GELU_float16] = {13, 112u << 23, 0x7c00, 0x0400, 0.5f},
    [GELU_bfloat16] = {16, 0, 0x7f80, 0x0080, 0x1p-110f},
};

enum { SIGN = 0x8000, MAGNITUDE = 0x7fff, INFINITY_32 = 0x7f800000 };

GELU_INLINE uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

GELU_INLINE float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* By the bits: of a ?: with floating-point arithmetic in it compilers make a branch, and no vectors. */
GELU_INLINE uint32_t word_select(int condition, uint32_t a, uint32_t b)
{
    const uint32_t mask = 0u - (uint32_t)condition;
    return (a & mask) | (b & ~mask);
}

/* Of a magnitude. Where the exponents differ a subnormal number is the fraction of the smallest normal
   one, less that number. */
GELU_INLINE uint32_t widened(uint32_t word, const format *f)
{
    const uint32_t bits = (word << f->dropped) + f->rebias, smallest = f->rebias + (1u << 23);
    const uint32_t subnormal =
        f->rebias ? bits_of(float_of(bits + (1u << 23)) - float_of(smallest)) : bits;
    const uint32_t other =
        word_select((int32_t)word < (int32_t)f->infinity, bits, bits + f->rebias);
    return word_select((int32_t)word < (int32_t)f->smallest, subnormal, other);
}

GELU_INLINE uint32_t narrowed(uint32_t bits, const format *f)
{
    const uint32_t odd = bits >> f->dropped & 1, half = (1u << (f->dropped - 1)) - 1;
    const uint32_t normal = (bits - f->rebias + half + odd) >> f->dropped;
    const float rounder = f->rounder;
    const uint32_t subnormal =
        f->rebias ? bits_of(float_of(bits) + rounder) - bits_of(rounder) : normal;
    const uint32_t smallest = f->rebias + (1u << 23);
    const uint32_t word = word_select((int32_t)bits < (int32_t)smallest, subnormal, normal);
    const uint32_t finite = word_select((int32_t)word < (int32_t)f->infinity, word, f->infinity);
    return word_select((int32_t)bits > INFINITY_32, MAGNITUDE, finite);
}

GELU_INLINE void widen(const uint16_t *in, float *out, size_t n, const format *f)
{
    for (size_t i = 0; i < n; i++) {
        const uint32_t magnitude = widened(in[i] & MAGNITUDE, f);
        out[i] = float_of(magnitude | (uint32_t)(in[i] & SIGN) << 16);
    }
}

static void raise_overflow(void)
{
    volatile float huge = FLT_MAX;
    huge *= huge;
}

GELU_INLINE void narrow(const float *in, uint16_t *out, size_t n, const format *f)
{
    uint32_t overflow = 0;
    for (size_t i = 0; i < n; i++) {
        const uint32_t bits = bits_of(in[i]), magnitude = bits & 0x7fffffff;
        const uint32_t word = narrowed(magnitude, f);
        out[i] = (uint16_t)(word | (bits >> 16 & SIGN));
        overflow |= (uint32_t)(word == f->infinity) & (uint32_t)(magnitude != INFINITY_32);
    }
    if (GELU_UNLIKELY(overflow))
        raise_overflow();
}

#define DEFINE(half)                                                                               \
    static void widen_##half(const uint16_t *in, float *out, size_t n)                             \
    {                                                                                              \
        widen(in, out, n, &formats[GELU_##half]);                                                  \
    }                                                                                              \
    static void narrow_##half(const float *in, uint16_t *out, size_t n)                            \
    {                                                                                              \
        narrow(in, out, n, &formats[GELU_##half]);                                                 \
    }
DEFINE(float16)
DEFINE(bfloat16)

#endif
