/* Results that are known without computing: zeros, infinities, NaN, huge numbers, and that the tail
   falls steadily to -0, or, where a function is odd, that. */
#include <math.h>

#include "subjects.h"

static void check_result(const subject *s, uint64_t input, uint64_t expected)
{
    const uint64_t result = result_of(s, input);
    CHECK(result == expected, "input %#llx: %#llx, expected %#llx", (unsigned long long)input,
          (unsigned long long)result, (unsigned long long)expected);
}

/* Where there is nothing but a limit: f(-x) and f(x) for every x from 1024 on. */
static void check_far(const subject *s, uint64_t word)
{
    const format f = s->f;
    const kind k = kind_of(s->function);
    check_result(s, word, k == VALUE ? word : f.one);
    check_result(s, word | f.sign, k == ODD ? f.one | f.sign : f.sign);
}

static void exact_results(const subject *s)
{
    static uint64_t words[MANY_WORDS];
    const format f = s->f;
    const int derivative = kind_of(s->function) == DERIVATIVE;
    const uint64_t half = value_word(f, 0.5), far = value_word(f, 1024);
    check_result(s, 0, derivative ? half : 0);
    check_result(s, f.sign, derivative ? half : f.sign);
    check_far(s, f.infinity);
    for (size_t n = many_words(f, words); n-- > 0;)
        if (magnitude(f, words[n]) >= far && !is_nan(f, words[n]))
            check_far(s, magnitude(f, words[n]));
}

static void nan_results(const subject *s)
{
    const format f = s->f;
    const uint64_t nans[] = {quiet_nan(f), signalling_nan(f), f.sign - 1, quiet_nan(f) - 1};
    for (size_t i = 0; i < COUNT(nans); i++) {
        CHECK(is_nan(f, result_of(s, nans[i])), "NaN %zu", i);
        CHECK(is_nan(f, result_of(s, nans[i] | f.sign)), "NaN %zu, negative", i);
    }
}

/* f(x) by definition, but for one unit of a value or of erf: x/2, 2x/sqrt(pi), 1/2. */
static int is_right_near_zero(const subject *s, uint64_t x, uint64_t result)
{
    const format f = s->f;
    const uint64_t size = magnitude(f, x), normal = UINT64_C(1) << f.fraction_bits;
    /* below 2 * normal, words count the smallest unit and halving is a shift */
    const uint64_t half = size < 2 * normal ? size / 2 : size - normal;
    const uint64_t erf = value_word(f, 1.1283791670955126 * word_value(f, x));
    switch (kind_of(s->function)) {
    case DERIVATIVE:
        return result == value_word(f, 0.5);
    case ODD:
        return result - erf + 1 <= 2;
    default:
        return ((result ^ x) & f.sign) == 0 && magnitude(f, result) - half <= 1;
    }
}

/* Subnormal numbers are neither flushed nor lost. float16's other small numbers are not tiny. */
static void tiny_inputs(const subject *s)
{
    const uint64_t normal = UINT64_C(1) << s->f.fraction_bits;
    const uint64_t end = s->f.size == 2 ? 2 * normal : 8 * normal;
    for (uint64_t word = 1; word < end; word += word / 64 + 1)
        for (int negative = 0; negative < 2; negative++) {
            const uint64_t x = word | (negative ? s->f.sign : 0), result = result_of(s, x);
            CHECK(is_right_near_zero(s, x, result), "input %#llx: %#llx", (unsigned long long)x,
                  (unsigned long long)result);
        }
}

/* Below -3 the functions are negative and shrink by many units from one of these inputs to the next,
   until results are subnormal: no error within the limits may reverse two of them. Of float16 these
   are all inputs, and two results may be equal. */
static void falling_tail(const subject *s)
{
    const format f = s->f;
    const uint64_t step = f.size == 8 ? UINT64_C(61) << 30 : f.size == 4 ? 61 : 1;
    uint64_t last = f.one, smallest = UINT64_C(1) << f.fraction_bits;
    for (uint64_t word = value_word(f, 3); word < value_word(f, 1000); word += step) {
        const uint64_t result = result_of(s, word | f.sign);
        CHECK(result & f.sign, "input -%#llx: %#llx", (unsigned long long)word,
              (unsigned long long)result);
        CHECK(magnitude(f, result) < last + (f.size == 2) ||
                  (last <= smallest && magnitude(f, result) <= smallest),
              "input -%#llx: %#llx not below %#llx", (unsigned long long)word,
              (unsigned long long)result, (unsigned long long)last);
        last = magnitude(f, result);
    }
    CHECK(last == 0, "the tail ends at %#llx", (unsigned long long)last);
}

/* The same bits but the sign's, and never beyond 1. */
static void odd(const subject *s)
{
    static uint64_t x[SWEEP_BLOCK], plus[SWEEP_BLOCK], minus[SWEEP_BLOCK];
    const format f = s->f;
    for (size_t block = 0; block < sweep_blocks(f); block++) {
        sweep_block(f, block, x);
        s->kernel(x, plus, SWEEP_BLOCK);
        for (size_t i = 0; i < SWEEP_BLOCK; i++)
            set_word(f, x, i, get_word(f, x, i) ^ f.sign);
        s->kernel(x, minus, SWEEP_BLOCK);
        for (size_t i = 0; i < SWEEP_BLOCK; i++) {
            const uint64_t word = get_word(f, x, i), result = get_word(f, minus, i);
            if (!is_nan(f, word))
                CHECK(get_word(f, plus, i) == (result ^ f.sign) && magnitude(f, result) <= f.one &&
                          (result & f.sign) == (word & f.sign),
                      "input %#llx: %#llx", (unsigned long long)word, (unsigned long long)result);
        }
    }
}

static void tail_or_symmetry(const subject *s)
{
    if (kind_of(s->function) == ODD)
        odd(s);
    else
        falling_tail(s);
}

int main(void)
{
    for_each_kernel("exact results", exact_results);
    for_each_kernel("NaN", nan_results);
    for_each_kernel("tiny inputs", tiny_inputs);
    for_each_kernel("tail or symmetry", tail_or_symmetry);
    return finish();
}
