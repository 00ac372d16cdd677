/* Results that are known without computing: zeros, infinities, NaN, huge numbers, and that the tail
   falls steadily to -0. */
#include <math.h>

#include "subjects.h"

static void check_result(const subject *s, uint64_t input, uint64_t expected)
{
    const uint64_t result = result_of(s, input);
    CHECK(result == expected, "input %#llx: %#llx, expected %#llx", (unsigned long long)input,
          (unsigned long long)result, (unsigned long long)expected);
}

static void exact_results(const subject *s)
{
    static uint64_t words[MANY_WORDS];
    const format f = s->f;
    const int derivative = is_derivative(s->function);
    const uint64_t half = value_word(f, 0.5), far = value_word(f, 1024), minus_zero = f.sign;
    check_result(s, 0, derivative ? half : 0);
    check_result(s, f.sign, derivative ? half : minus_zero);
    check_result(s, f.infinity, derivative ? f.one : f.infinity);
    check_result(s, f.infinity | f.sign, minus_zero);
    for (size_t n = many_words(f, words); n-- > 0;)
        if (magnitude(f, words[n]) >= far && !is_nan(f, words[n])) {
            const uint64_t above = derivative ? f.one : words[n];
            check_result(s, words[n], words[n] & f.sign ? minus_zero : above);
        }
}

static void nan_results(const subject *s)
{
    const format f = s->f;
    const uint64_t nans[] = {quiet_nan(f), signalling_nan(f), f.sign - 1, quiet_nan(f) - 1};
    for (size_t i = 0; i < sizeof nans / sizeof *nans; i++) {
        CHECK(is_nan(f, result_of(s, nans[i])), "NaN %zu", i);
        CHECK(is_nan(f, result_of(s, nans[i] | f.sign)), "NaN %zu, negative", i);
    }
}

/* x/2 and 1/2 to one unit: subnormal numbers are neither flushed nor lost. */
static void tiny_inputs(const subject *s)
{
    const format f = s->f;
    const uint64_t normal = UINT64_C(1) << f.fraction_bits;
    for (uint64_t word = 1; word < 8 * normal; word += word / 64 + 1)
        for (int negative = 0; negative < 2; negative++) {
            const uint64_t sign = negative ? f.sign : 0;
            const uint64_t result = result_of(s, word | sign);
            /* below 2 * normal, words count the smallest unit and halving is a shift */
            const uint64_t half = word < 2 * normal ? word / 2 : word - normal;
            if (is_derivative(s->function))
                CHECK(result == value_word(f, 0.5), "input %#llx", (unsigned long long)word);
            else
                CHECK((result & f.sign) == sign && magnitude(f, result) - half <= 1,
                      "input %#llx: %#llx", (unsigned long long)(word | sign),
                      (unsigned long long)result);
        }
}

/* Below -3 the functions are negative and shrink by many units from one of these inputs to the next,
   until results are subnormal: no error within the limits may reverse two of them. */
static void falling_tail(const subject *s)
{
    const format f = s->f;
    const uint64_t step = f.size == 8 ? UINT64_C(61) << 30 : 61;
    uint64_t last = f.one, smallest = UINT64_C(1) << f.fraction_bits;
    for (uint64_t word = value_word(f, 3); word < value_word(f, 1000); word += step) {
        const uint64_t result = result_of(s, word | f.sign);
        CHECK(result & f.sign, "input -%#llx: %#llx", (unsigned long long)word,
              (unsigned long long)result);
        CHECK(magnitude(f, result) < last || (last <= smallest && magnitude(f, result) <= smallest),
              "input -%#llx: %#llx not below %#llx", (unsigned long long)word,
              (unsigned long long)result, (unsigned long long)last);
        last = magnitude(f, result);
    }
    CHECK(last == 0, "the tail ends at %#llx", (unsigned long long)last);
}

int main(void)
{
    for_each_kernel("exact results", exact_results);
    for_each_kernel("NaN", nan_results);
    for_each_kernel("tiny inputs", tiny_inputs);
    for_each_kernel("falling tail", falling_tail);
    return finish();
}
