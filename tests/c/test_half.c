/* float16 and bfloat16, loaded and stored by the vocabulary, against the formats' definitions. */
#include <fenv.h>
#include <math.h>
#include <string.h>

#include "check.h"
#include "values.h"
#include "vocabularies.h"

enum { ALL = 1 << 16, MOST = 11 * ALL };

static uint16_t halves[MOST], all_halves[ALL];
static float numbers[MOST];
static size_t n_numbers;

static uint32_t bits_of(float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static float number_of(uint32_t bits)
{
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* Five bits of exponent, ten of fraction. */
static float f16_number(uint16_t half)
{
    const int exponent = half >> 10 & 0x1f, fraction = half & 0x3ff;
    const double sign = half & 0x8000 ? -1 : 1;
    if (exponent == 0x1f)
        return fraction ? NAN : (float)(sign * INFINITY);
    return (float)(sign *
                   (exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24)));
}

/* In units of the last place, an exact quotient, rint rounds ties to even. */
static uint16_t f16_of(float number)
{
    const uint16_t sign = signbit(number) ? 0x8000 : 0;
    int exponent;
    if (isnan(number))
        return 0x7e00;
    frexp(number, &exponent); /* number = [0.5, 1) 2^exponent */
    if (isinf(number) || exponent > 16)
        return sign | 0x7c00;
    if (number == 0 || exponent < -13)
        exponent = -13;
    const double units = rint(ldexp(fabs((double)number), 11 - exponent));
    const unsigned half = ((unsigned)(exponent + 13) << 10) + (unsigned)units;
    return (uint16_t)(sign | (half > 0x7c00 ? 0x7c00 : half));
}

/* The upper half of a float32. */
static float bf16_number(uint16_t half) { return number_of((uint32_t)half << 16); }

static uint16_t bf16_of(float number)
{
    const uint32_t bits = bits_of(number), below = bits & 0xffff, half = bits >> 16;
    if (isnan(number))
        return 0x7fc0;
    return (uint16_t)(half + (below > 0x8000 || (below == 0x8000 && half % 2)));
}

/* Each half, the tie above it, and what lies beside both; random numbers of all sizes. */
static void choose_numbers(float (*number)(uint16_t))
{
    n_numbers = 0;
    for (size_t i = 0; i < ALL; i++) {
        const uint16_t half = (uint16_t)i;
        const float here = number(half), next = number(half + 1);
        const float tie = (float)(((double)here + next) / 2);
        for (int beside = -1; beside <= 1; beside++) {
            numbers[n_numbers++] = number_of(bits_of(here) + (uint32_t)beside);
            numbers[n_numbers++] = number_of(bits_of(tie) + (uint32_t)beside);
        }
        numbers[n_numbers++] = number_of((uint32_t)random_word());
        numbers[n_numbers++] = number_of((uint32_t)(random_word() & 0x9fffffff) | 0x20000000);
        numbers[n_numbers++] = number_of((uint32_t)(random_word() & 0x807fffff)); /* subnormal */
        numbers[n_numbers++] = (float)i * 0.25f + 65000;
    }
    for (size_t i = 0; i < n_numbers; i++) /* a signalling NaN may raise INVALID */
        if (isnan(numbers[i]))
            numbers[i] = number_of(bits_of(numbers[i]) | 0x00400000);
}

static void check_load(void (*load)(const uint16_t *, float *, size_t), float (*number)(uint16_t))
{
    load(all_halves, numbers, ALL);
    for (size_t i = 0; i < ALL; i++) {
        const float expected = number((uint16_t)i);
        CHECK(isnan(expected) ? isnan(numbers[i]) : bits_of(numbers[i]) == bits_of(expected),
              "%#zx: %a, expected %a", i, (double)numbers[i], (double)expected);
    }
}

static void check_store(void (*store)(uint16_t *, const float *, size_t), uint16_t (*half)(float),
                        uint16_t infinity)
{
    feclearexcept(FE_ALL_EXCEPT);
    store(halves, numbers, n_numbers);
    const int flags = fetestexcept(FE_ALL_EXCEPT & ~FE_INEXACT);
    CHECK(flags == 0, "raises %#x", (unsigned)flags);
    for (size_t i = 0; i < n_numbers; i++) {
        const uint16_t expected = half(numbers[i]), got = halves[i];
        CHECK(isnan(numbers[i]) ? (got & 0x7fff) > infinity : got == expected,
              "%a: %#x, expected %#x", (double)numbers[i], got, expected);
    }
}

static void check_level(const vocabulary *v)
{
    begin("load float16 %s", v->name);
    check_load(v->load_f16, f16_number);
    end();
    begin("load bfloat16 %s", v->name);
    check_load(v->load_bf16, bf16_number);
    end();
    begin("store float16 %s", v->name);
    choose_numbers(f16_number);
    check_store(v->store_f16, f16_of, 0x7c00);
    end();
    begin("store bfloat16 %s", v->name);
    choose_numbers(bf16_number);
    check_store(v->store_bf16, bf16_of, 0x7f80);
    end();
}

int main(void)
{
    for (size_t i = 0; i < ALL; i++)
        all_halves[i] = (uint16_t)i;
    for_each_vocabulary("half types", check_level);
    return finish();
}
