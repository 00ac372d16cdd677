/* Floating-point inputs as bit patterns ("words"), for any format of the registry. */
#ifndef VALUES_H
#define VALUES_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "internal.h"
#include "macros.h"

/* A word holds sign, exponent and fraction in this order; the exponents' largest is infinity's. */
typedef struct {
    size_t size;
    unsigned fraction_bits;
    uint64_t sign, infinity, one;
} format;

static inline format format_of(int dtype)
{
    static const unsigned fraction_bits_of[GELU_DTYPE_COUNT] = {
        [GELU_float16] = 10, [GELU_bfloat16] = 7, [GELU_float32] = 23, [GELU_float64] = 52};
    const unsigned fraction_bits = fraction_bits_of[dtype];
    const size_t size = gelu_dtypes[dtype].size;
    const uint64_t sign = UINT64_C(1) << (8 * size - 1);
    const uint64_t infinity = sign - (UINT64_C(1) << fraction_bits);
    const uint64_t one = infinity / 2 & infinity;
    return (format){size, fraction_bits, sign, infinity, one};
}

static inline uint64_t get_word(format f, const void *array, size_t i)
{
    const char *const at = (const char *)array + f.size * i;
    uint16_t word16;
    uint32_t word32;
    uint64_t word64;
    switch (f.size) {
    case 2:
        memcpy(&word16, at, 2);
        return word16;
    case 4:
        memcpy(&word32, at, 4);
        return word32;
    default:
        memcpy(&word64, at, 8);
        return word64;
    }
}

static inline void set_word(format f, void *array, size_t i, uint64_t word)
{
    const uint16_t word16 = (uint16_t)word;
    const uint32_t word32 = (uint32_t)word;
    const void *const from = f.size == 2   ? (const void *)&word16
                             : f.size == 4 ? (const void *)&word32
                                           : (const void *)&word;
    memcpy((char *)array + f.size * i, from, f.size);
}

static inline uint64_t magnitude(format f, uint64_t word) { return word & (f.sign - 1); }

static inline int is_nan(format f, uint64_t word) { return magnitude(f, word) > f.infinity; }

/* The exponent of the subnormal numbers and of the smallest normal ones. */
static inline int least_exponent(format f) { return 1 - (int)(f.one >> f.fraction_bits); }

/* A number's place in the order of magnitudes is its word: from one power of two to the next there
   are 2^fraction_bits. */
static inline double word_value(format f, uint64_t word)
{
    const uint64_t size = magnitude(f, word), power = UINT64_C(1) << f.fraction_bits;
    const int normal = size >= power, above = normal ? (int)(size >> f.fraction_bits) - 1 : 0;
    const double units = (double)(normal ? size % power + power : size);
    const double value = size > f.infinity ? NAN
                         : size == f.infinity
                             ? INFINITY
                             : ldexp(units, least_exponent(f) + above - (int)f.fraction_bits);
    return word & f.sign ? -value : value;
}

/* The nearest number, for those that are not too large. */
static inline uint64_t value_word(format f, double value)
{
    const int least = least_exponent(f), exponent = value == 0 ? least : ilogb(value);
    const int above = exponent > least ? exponent - least : 0;
    const double units = rint(ldexp(fabs(value), (int)f.fraction_bits - least - above));
    return ((uint64_t)above << f.fraction_bits) + (uint64_t)units + (value < 0 ? f.sign : 0);
}

static inline uint64_t quiet_nan(format f)
{
    return f.infinity | UINT64_C(1) << (f.fraction_bits - 1);
}

static inline uint64_t signalling_nan(format f) { return f.infinity | 1; }

/* The same number, but a NaN made quiet. */
static inline uint64_t quieted(format f, uint64_t word)
{
    return is_nan(f, word) ? word | quiet_nan(f) : word;
}

/* FNV-1a, word by word; all NaNs are one. */
static const uint64_t HASH_OF_NOTHING = UINT64_C(0xcbf29ce484222325);

static inline uint64_t hash_word(format f, uint64_t hash, uint64_t word)
{
    return (hash ^ (is_nan(f, word) ? quiet_nan(f) : word)) * UINT64_C(0x100000001b3);
}

/* xorshift64*: the same numbers in every run. */
static inline uint64_t random_word(void)
{
    static uint64_t state = UINT64_C(0x9e3779b97f4a7c15);
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * UINT64_C(2685821657736338717);
}

/* A few numbers of every kind: enough for tests that put each one into every place. */
enum { FEW_WORDS = 56 };

static inline void few_words(format f, uint64_t *words)
{
    static const double numbers[] = {0x1p-30, 0.5,   0.7517, 1,  1.5, 2.75, 3.0, 4.4, 5.6, 9,
                                     11,      13.75, 14.4,   15, 20,  30,   38,  40,  100, 1e4};
    const uint64_t smallest_normal = UINT64_C(1) << f.fraction_bits;
    const uint64_t limits[] = {0,          1,         2,           smallest_normal, f.infinity - 1,
                               f.infinity, f.one - 1, quiet_nan(f)};
    size_t n = 0;
    for (size_t i = 0; i < COUNT(numbers); i++)
        words[n++] = value_word(f, numbers[i]);
    for (size_t i = 0; i < COUNT(limits); i++)
        words[n++] = limits[i];
    for (size_t i = 0; i < FEW_WORDS / 2; i++)
        words[n++] = words[i] | f.sign;
}

/* Three neighbours around every power of two, from the smallest subnormal to infinity, and the few
   words above; both signs. */
enum { MANY_WORDS = 13000 };

static inline size_t many_words(format f, uint64_t *words)
{
    size_t n = FEW_WORDS;
    few_words(f, words);
    for (unsigned bit = 1; bit < f.fraction_bits; bit++)
        for (uint64_t w = (UINT64_C(1) << bit) - 1; w <= (UINT64_C(1) << bit) + 1; w++)
            words[n++] = w, words[n++] = w | f.sign;
    for (uint64_t e = UINT64_C(1) << f.fraction_bits; e < f.infinity;
         e += UINT64_C(1) << f.fraction_bits)
        for (uint64_t w = e - 1; w <= e + 1; w++)
            words[n++] = w, words[n++] = w | f.sign;
    return n;
}

/* Blocks of a sweep: all words of a 2-byte format; evenly through those of a 4-byte one; of an
   8-byte one random words, every other of them between 2^-20 and 2^12, where the functions are
   interesting. */
enum { SWEEP_BLOCK = 4096, SWEEP_STEP_32 = 997, SWEEP_BLOCKS_64 = 256 };

static inline uint64_t sweep_step(format f) { return f.size == 4 ? SWEEP_STEP_32 : 1; }

static inline size_t sweep_blocks(format f)
{
    const uint64_t block = SWEEP_BLOCK * sweep_step(f);
    return f.size == 8 ? SWEEP_BLOCKS_64 : (size_t)((2 * f.sign + block - 1) / block);
}

static inline void sweep_block(format f, size_t block, void *array)
{
    for (size_t i = 0; i < SWEEP_BLOCK; i++) {
        uint64_t word = (block * SWEEP_BLOCK + i) * sweep_step(f);
        if (f.size == 8) {
            word = random_word();
            if (i & 1)
                word = (word & ~f.infinity) |
                       (f.one + (word % 33 << f.fraction_bits) - (UINT64_C(20) << f.fraction_bits));
        }
        set_word(f, array, i, quieted(f, word));
    }
}

#endif
