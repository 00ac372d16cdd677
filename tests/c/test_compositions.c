/* What compositions add to kernels, on every level: IEEE's operations and their flags, the half types'
   conversions, swish, and loops of two inputs. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "subjects.h"

enum { MANY = 1 << 16 };

static double random_double(int from, int to)
{
    const uint64_t word = random_word();
    const double value =
        ldexp(1 + (double)(word >> 12) * 0x1p-52, from + (int)(word % (unsigned)(to - from)));
    return word & 0x800 ? -value : value;
}

/* ---- addition and multiplication */

static void arithmetic(const gelu_level *level)
{
    static double a[GELU_BLOCK], b[GELU_BLOCK], out[GELU_BLOCK];
    static float a32[GELU_BLOCK], b32[GELU_BLOCK];
    for (size_t i = 0; i < GELU_BLOCK; i++) {
        a32[i] = (float)(a[i] = random_double(-40, 40));
        b32[i] = (float)(b[i] = random_double(-40, 40));
    }
    level->steps[GELU_float64].multiply(a, b, out, GELU_BLOCK);
    for (size_t i = 0; i < GELU_BLOCK; i++)
        CHECK(out[i] == a[i] * b[i], "%a %a: %a", a[i], b[i], out[i]);
    level->steps[GELU_float64].add(a, b, a, GELU_BLOCK);
    level->steps[GELU_float32].multiply(a32, b32, b32, GELU_BLOCK - 1);
    for (size_t i = 0; i < GELU_BLOCK - 1; i++) {
        const float want = (float)((double)a32[i] * (double)(float)b[i]);
        CHECK(b32[i] == want, "%a %a: %a", (double)a32[i], b[i], (double)b32[i]);
    }
    CHECK(b32[GELU_BLOCK - 1] == (float)b[GELU_BLOCK - 1], "one too many");
}

static void flags(const gelu_level *level)
{
    static const float pairs[][2] = {{FLT_MAX, 2}, {FLT_MIN, 0.3f}, {INFINITY, 0}, {3, 2}};
    static const int wanted[] = {FE_OVERFLOW, FE_UNDERFLOW, FE_INVALID, 0};
    for (int k = 0; k < 4; k++)
        for (size_t n = 1; n < 40; n++) {
            float a[40], b[40], out[40];
            for (size_t i = 0; i < n; i++)
                a[i] = b[i] = 1;
            a[n / 2] = pairs[k][0], b[n / 2] = pairs[k][1];
            feclearexcept(FE_ALL_EXCEPT);
            level->steps[GELU_float32].multiply(a, b, out, n);
            const int raised = fetestexcept(LOUD);
            feclearexcept(FE_ALL_EXCEPT);
            CHECK(raised == wanted[k], "pair %d, n %zu: %#x", k, n, (unsigned)raised);
        }
}

/* ---- conversions */

static void conversion(const gelu_level *level, int half)
{
    static uint16_t words[MANY], back[MANY];
    static float wide[MANY], middle[MANY];
    const format f = format_of(half);
    for (unsigned w = 0; w < MANY; w++)
        words[w] = (uint16_t)w;
    level->widen[half](words, wide, MANY);
    level->narrow[half](wide, back, MANY);
    for (unsigned w = 0; w < MANY; w++)
        if (is_nan(f, w))
            CHECK(isnan(wide[w]) && is_nan(f, back[w]), "NaN %#x: %#x", w, back[w]);
        else
            CHECK(wide[w] == (float)word_value(f, w) && back[w] == w, "%#x: %a, %#x", w,
                  (double)wide[w], back[w]);
    /* Between neighbours: to the even one from the middle, to the nearer one beside it. */
    for (int side = -1; side <= 1; side++) {
        const unsigned last = (unsigned)f.infinity - 1;
        for (unsigned w = 0; w < last; w++) {
            middle[w] = (float)(((double)wide[w] + (double)wide[w + 1]) / 2);
            middle[w] = side ? nextafterf(middle[w], side * INFINITY) : middle[w];
        }
        level->narrow[half](middle, back, last);
        for (unsigned w = 0; w < last; w++)
            CHECK(back[w] == (side ? w + (side > 0) : w + (w & 1)), "beyond %#x: %#x", w, back[w]);
    }
}

static void conversions(const gelu_level *level)
{
    for (int half = 0; half < GELU_HALF_COUNT; half++)
        conversion(level, half);
}

/* ---- swish */

static long double ulp(long double value, int fraction_bits, int least)
{
    const int exponent = ilogbl(value);
    return ldexpl(1, (exponent > least ? exponent : least) - fraction_bits);
}

static void check_swish(const gelu_level *level, double x, double beta, double got, int bits,
                        int least)
{
    const long double v = (long double)x * beta, exact = x / (1 + expl(-v));
    const long double error = fabsl(got - exact) / ulp(exact, bits, least);
    const double limit = (level->has_fma ? 2.5 : 4.5) + 1100 * 0x1p52 * LDBL_EPSILON * (bits == 52);
    CHECK(error <= limit, "swish(%a, %a): %a, %.3Lf ULP", x, beta, got, error);
}

static void swish(const gelu_level *level)
{
    static double x[GELU_BLOCK], beta[GELU_BLOCK], out[GELU_BLOCK];
    static float x32[GELU_BLOCK], beta32[GELU_BLOCK], out32[GELU_BLOCK];
    const gelu_composition *const row = &gelu_compositions[GELU_ID_swish];
    const gelu_composed *const narrow = &row->composed[GELU_float32];
    const gelu_composed *const wide = &row->composed[GELU_float64];
    for (int round = 0; round < 40; round++) {
        for (size_t i = 0; i < GELU_BLOCK; i++) {
            const double v = (double)(random_word() >> 11) * 0x1p-53;
            x[i] = random_double(-90, 90), beta[i] = (v * 720 - 700) / x[i];
            x32[i] = (float)x[i], beta32[i] = (float)((v * 100 - 84) / x[i]);
        }
        narrow->run(narrow->function, x32, beta32, out32, GELU_BLOCK);
        wide->run(wide->function, x, beta, out, GELU_BLOCK);
        for (size_t i = 0; i < GELU_BLOCK; i++) {
            check_swish(level, x[i], beta[i], out[i], 52, -1022);
            check_swish(level, x32[i], beta32[i], out32[i], 23, -126);
        }
    }
}

/* ---- loops: any strides give what contiguous numbers give */

static void strides(const gelu_level *level)
{
    static float memory[3][8 * GELU_BLOCK], a[3 * GELU_BLOCK], b[3 * GELU_BLOCK],
        want[3 * GELU_BLOCK];
    static const ptrdiff_t steps[] = {0, 4, -4, 8, -8};
    (void)level;
    for (size_t i = 0; i < 8 * GELU_BLOCK; i++)
        memory[0][i] = (float)random_double(-3, 3), memory[1][i] = (float)random_double(-3, 3);
    for (int c = 0; c < GELU_COMPOSITION_COUNT; c++)
        for (int k = 0; k < 125; k++) {
            const ptrdiff_t s[3] = {steps[k % 5], steps[k / 5 % 5], steps[k / 25 ? k / 25 : 1]};
            const ptrdiff_t n = 1 + (ptrdiff_t)(random_word() % (3 * GELU_BLOCK));
            gelu_composed composed = gelu_compositions[c].composed[GELU_float32];
            char *at[3];
            for (int j = 0; j < 3; j++)
                at[j] = (char *)memory[j] + (s[j] < 0 ? -s[j] * (n - 1) : 0);
            for (ptrdiff_t i = 0; i < n; i++) {
                memcpy(&a[i], at[0] + i * s[0], 4);
                memcpy(&b[i], at[1] + i * s[1], 4);
                composed.run(composed.function, &a[i], &b[i], &want[i], 1);
            }
            gelu_binary_loop[GELU_float32](at, &n, s, &composed);
            for (ptrdiff_t i = 0; i < n; i++)
                CHECK(memcmp(at[2] + i * s[2], &want[i], 4) == 0, "%s, n %td, element %td",
                      gelu_compositions[c].name, n, i);
        }
}

static void for_each_level(const char *what, void (*test)(const gelu_level *))
{
    for (int level = 0; level < gelu_level_count(); level++) {
        begin("%s %s", what, level_name(level));
        if (can_run(level)) {
            gelu_select_level(level);
            test(gelu_level_at(level));
            end();
        }
    }
}

int main(void)
{
    for_each_level("arithmetic", arithmetic);
    for_each_level("flags", flags);
    for_each_level("conversions", conversions);
    for_each_level("swish", swish);
    for_each_level("strides", strides);
    return finish();
}
