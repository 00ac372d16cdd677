/* The registry's limits, against long double. A check on every CPU that runs C; the proofs, by
   arbitrary precision and over all float32, are elsewhere. Argument: number of random points. */
#include <stdlib.h>

#include "reference.h"
#include "subjects.h"

enum { MANY_POINTS = MANY_WORDS + 300000 };

/* The reference's own error, 2^-9 ULP of float64 at the worst where long double has 64 bits. */
static double margin(format f) { return ldexp(0.01, (int)f.fraction_bits - 52); }

static size_t random_points = 100000;
static size_t n_points;
static char in[MANY_POINTS * 8], out[sizeof in];
static long double exact[MANY_POINTS];

static void all_halves(format f)
{
    for (n_points = 0; n_points < 1 << 16; n_points++)
        set_word(f, in, n_points, magnitude(f, n_points) < f.infinity ? n_points : f.one);
}

/* All special numbers; random ones from 2^-20 to 2^7, where the functions bend. Of the half
   types all. */
static void choose_points(format f)
{
    static uint64_t words[MANY_WORDS];
    if (f.size == 2) {
        all_halves(f);
        return;
    }
    n_points = many_words(f, words);
    for (size_t i = 0; i < n_points; i++)
        set_word(f, in, i, (words[i] & ~f.sign) < f.infinity ? words[i] : f.one);
    for (size_t i = 0; i < random_points; i++) {
        const uint64_t word = random_word(), exponent = word % 28;
        set_word(f, in, n_points++,
                 (word & (f.sign | ((UINT64_C(1) << f.fraction_bits) - 1))) |
                     (f.one + (exponent << f.fraction_bits) - (UINT64_C(20) << f.fraction_bits)));
    }
}

static long double ulp(format f, long double value)
{
    const int least = least_exponent(f), exponent = value == 0 ? least : ilogbl(value);
    return ldexpl(1, (exponent > least ? exponent : least) - (int)f.fraction_bits);
}

static void check_level(const subject *s, double zero)
{
    const gelu_limit limit = gelu_functions[s->function].limit[s->dtype];
    const double bound =
        margin(s->f) + (gelu_level_at(s->level)->has_fma ? limit.ulp : limit.ulp_no_fma);
    double worst = 0, worst_x = 0;
    s->kernel(in, out, n_points);
    for (size_t i = 0; i < n_points; i++) {
        const double x = word_value(s->f, get_word(s->f, in, i));
        const double y = word_value(s->f, get_word(s->f, out, i));
        long double error = fabsl(y - exact[i]);
        /* There a derivative's terms, about 1, cancel in the reference too. */
        if (fabs(x - zero) < 0.1)
            error = fmaxl(0, error - 4 * LDBL_EPSILON);
        const double units = (double)(error / ulp(s->f, exact[i]));
        CHECK(units <= bound, "x %a: %a, error %.4f ULP", x, y, units);
        if (units > worst)
            worst = units, worst_x = x;
    }
    printf(": %.4f ULP at %a", worst, worst_x);
}

static void check_function(int function, int dtype)
{
    const int reference = find_reference(function_name(function));
    const format f = format_of(dtype);
    if (reference < 0) {
        begin("accuracy %s", function_name(function));
        skip("no reference for it in reference.h");
        return;
    }
    choose_points(f);
    for (size_t i = 0; i < n_points; i++)
        exact[i] = references[reference].value(word_value(f, get_word(f, in, i)));
    for (int level = 0; level < gelu_level_count(); level++) {
        const subject s = subject_of(level, function, dtype);
        begin("accuracy %s %s %s", level_name(level), function_name(function), dtype_name(dtype));
        if (can_run(level)) {
            check_level(&s, references[reference].zero);
            end();
        }
    }
}

int main(int count, char **arguments)
{
    if (count > 1)
        random_points = strtoul(arguments[1], NULL, 10);
    if (random_points > MANY_POINTS - MANY_WORDS)
        random_points = MANY_POINTS - MANY_WORDS;
    if (LDBL_MANT_DIG < 64) {
        begin("accuracy");
        skip("long double has only %d bits", LDBL_MANT_DIG);
        return finish();
    }
    for (int function = 0; function < GELU_FUNCTION_COUNT; function++)
        for (int dtype = 0; dtype < GELU_DTYPE_COUNT; dtype++)
            check_function(function, dtype);
    return finish();
}
