/* float16 and bfloat16: with 16 bits there are 65,536 numbers, so every function has a table of its
   results, filled when it is first used. Knows no mathematics and no SIMD level.

   An entry is the float64 result rounded to nearest, and up if it is a tie. That is the exact value
   correctly rounded, since none is as near to a tie as float64's error but that for some subnormal x,
   which lies just above the tie x/2. (The tests compare all of them.)

   A table takes 128 KB, none of it before it is used. A call reads only the lines that its numbers
   lead to: without the binades where results are x, x/2 or a constant, a table would miss the cache as
   often, and to tell whether a number is in it takes longer than to look it up. */
#include "internal.h"

#include <fenv.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "compiler.h"

enum { NUMBERS = 1 << 16, BLOCK = 256 };

/* The entries are atomic because threads that meet an empty table each fill it. They write the same
   values, so none has to wait, and a fork at any moment leaves nothing locked. */
typedef _Atomic uint16_t entry;

typedef struct {
    _Alignas(64) entry result[NUMBERS];
    atomic_int is_filled;
} table;

static table tables[GELU_FUNCTION_COUNT][GELU_HALF_COUNT];
static const gelu_level *_Atomic source; /* whose float64 kernels fill the tables */

/* ---- between a format and float64. Its sign, exponent and fraction lie in this order, as those of
   float64 do: shifted to their place they make a number that is too small by a power of two. */

typedef struct {
    unsigned fraction_bits;
    double scale; /* that power: 2^(float64's exponent bias - the format's) */
} format;

static const format formats[GELU_HALF_COUNT] = {
    [GELU_float16] = {10, 0x1p1008},
    [GELU_bfloat16] = {7, 0x1p896},
};

enum { SIGN = 0x8000, MAGNITUDE = 0x7fff, A_NAN = 0x7fff };

static unsigned infinity_of(const format *f)
{
    return MAGNITUDE >> f->fraction_bits << f->fraction_bits;
}

/* NaNs become quiet. */
static double to_float64(unsigned half, const format *f)
{
    const unsigned magnitude = half & MAGNITUDE, infinity = infinity_of(f);
    const uint64_t bits = (uint64_t)magnitude << (52 - f->fraction_bits);
    double value;
    memcpy(&value, &bits, sizeof value);
    value = magnitude < infinity ? value * f->scale : magnitude == infinity ? INFINITY : NAN;
    return half & SIGN ? -value : value;
}

/* To nearest, a tie up. The quotient's bits, subnormal ones too, are a word of the format and at least
   42 bits more. */
static unsigned from_float64(double value, const format *f)
{
    const unsigned dropped = 52 - f->fraction_bits, negative = signbit(value) != 0;
    const double magnitude = fabs(value) / f->scale;
    uint64_t bits;
    if (isnan(value))
        return A_NAN;
    memcpy(&bits, &magnitude, sizeof bits);
    bits = (bits + (UINT64_C(1) << (dropped - 1)) - negative) >> dropped;
    const unsigned infinity = infinity_of(f);
    return (negative ? SIGN : 0) | (bits < infinity ? (unsigned)bits : infinity);
}

/* ---- tables */

/* In the default floating-point environment: a table outlives the caller's rounding mode. */
static void fill(table *t, gelu_kernel *kernel, const format *f)
{
    double block[BLOCK];
    fenv_t callers;
    fegetenv(&callers);
    fesetenv(FE_DFL_ENV);
    for (unsigned first = 0; first < NUMBERS; first += BLOCK) {
        for (unsigned i = 0; i < BLOCK; i++)
            block[i] = to_float64(first + i, f);
        kernel(block, block, BLOCK);
        for (unsigned i = 0; i < BLOCK; i++)
            atomic_store_explicit(&t->result[first + i], (uint16_t)from_float64(block[i], f),
                                  memory_order_relaxed);
    }
    fesetenv(&callers);
    atomic_store_explicit(&t->is_filled, 1, memory_order_release);
}

GELU_INLINE uint16_t load(const entry *of)
{
    return atomic_load_explicit(of, memory_order_relaxed);
}

/* Four at a time: y may be x, so the compiler would not read the next number before it has written this
   result. Not inlined, so that the table's address takes one register and no arithmetic. */
GELU_NOINLINE void look_up(const entry *result, const uint16_t *x, uint16_t *y, size_t n)
{
    size_t i = 0;
    for (; n - i >= 4; i += 4) {
        const uint16_t x0 = x[i], x1 = x[i + 1], x2 = x[i + 2], x3 = x[i + 3];
        const uint16_t y0 = load(result + x0), y1 = load(result + x1);
        const uint16_t y2 = load(result + x2), y3 = load(result + x3);
        y[i] = y0, y[i + 1] = y1, y[i + 2] = y2, y[i + 3] = y3;
    }
    for (; i < n; i++)
        y[i] = load(result + x[i]);
}

static void run(int function, int half, const void *in, void *out, size_t n)
{
    table *const t = &tables[function][half];
    if (GELU_UNLIKELY(!atomic_load_explicit(&t->is_filled, memory_order_acquire)))
        fill(t, atomic_load_explicit(&source, memory_order_relaxed)->kernel[function][GELU_float64],
             &formats[half]);
    look_up(t->result, in, out, n);
}

void gelu_half_use(const gelu_level *level)
{
    atomic_store_explicit(&source, level, memory_order_relaxed);
    for (int f = 0; f < GELU_FUNCTION_COUNT; f++)
        for (int h = 0; h < GELU_HALF_COUNT; h++)
            atomic_store_explicit(&tables[f][h].is_filled, 0, memory_order_relaxed);
}

/* ---- a kernel for each table */

#define DEFINE(f, half)                                                                            \
    static void f##_##half(const void *in, void *out, size_t n)                                    \
    {                                                                                              \
        run(GELU_ID_##f, GELU_##half, in, out, n);                                                 \
    }
#define X(f, ...) DEFINE(f, float16) DEFINE(f, bfloat16)
GELU_FUNCTIONS(X)
#undef X

gelu_kernel *const gelu_half_kernel[GELU_FUNCTION_COUNT][GELU_HALF_COUNT] = {
#define X(f, ...) [GELU_ID_##f] = {[GELU_float16] = f##_float16, [GELU_bfloat16] = f##_bfloat16},
    GELU_FUNCTIONS(X)
#undef X
};
