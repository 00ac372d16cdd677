/* Every one of the 2^32 float32 inputs, each function on every level: errors against the float64
   kernels of the best level, and equal bits on all levels with FMA. Minutes; not among the tests.

     proof_float32 [FUNCTION…]

   The float64 kernels are right to 1 ULP of theirs, 2^-29 of float32's, across the derivatives' zeros
   too; tests/test_accuracy.py holds them to that by ball arithmetic. */
#include "subjects.h"

enum { BLOCK = 4096 };

static float x[BLOCK], y[BLOCK], best_y[BLOCK];
static double wide_x[BLOCK], exact[BLOCK];

typedef struct {
    double worst; /* in ULP, and where */
    float at;
    unsigned long above_one, above_half, differing;
} tally_of_level;

/* Blocks never mix finite numbers with infinities and NaN, which are the tests' business. */
static int finite_block(uint32_t first) { return (first & 0x7f800000) != 0x7f800000; }

static double ulp(double value)
{
    int exponent;
    frexp(value, &exponent);
    return ldexp(1, value == 0 || exponent < -125 ? -149 : exponent - 24);
}

static void compare(tally_of_level *t)
{
    for (int i = 0; i < BLOCK; i++) {
        if (y[i] == exact[i])
            continue;
        const double error = fabs(y[i] - exact[i]) / ulp(exact[i]);
        t->above_half += error > 0.5;
        t->above_one += error > 1;
        if (error > t->worst)
            t->worst = error, t->at = x[i];
    }
}

static void run_block(int function, int best, uint32_t first, tally_of_level *tallies)
{
    for (uint32_t i = 0; i < BLOCK; i++) {
        const uint32_t bits = first + i;
        memcpy(x + i, &bits, sizeof bits);
        wide_x[i] = x[i];
    }
    gelu_level_at(best)->kernel[function][GELU_float64](wide_x, exact, BLOCK);
    gelu_level_at(best)->kernel[function][GELU_float32](x, best_y, BLOCK);
    for (int level = 0; level <= best; level++) {
        const gelu_level *const other = gelu_level_at(level);
        other->kernel[function][GELU_float32](x, y, BLOCK);
        if (other->has_fma && level != best && memcmp(y, best_y, sizeof y) == 0)
            continue; /* the best level's errors are its own */
        tallies[level].differing++;
        compare(tallies + level);
    }
}

static void report(int function, int level, int best, const tally_of_level *t)
{
    const gelu_limit limit = gelu_functions[function].limit[GELU_float32];
    const int has_fma = gelu_level_at(level)->has_fma;
    CHECK(t->worst <= (has_fma ? limit.ulp : limit.ulp_no_fma), "%.4f ULP at %a", t->worst, t->at);
    if (has_fma && level != best) {
        CHECK(t->differing == 0, "%lu blocks differ from the best level", t->differing);
        printf(": the bits of %s", level_name(best));
    } else {
        printf(": max %.4f ULP at %a, %lu above 1, %.4f %% not correctly rounded", t->worst, t->at,
               t->above_one, 100.0 * (double)t->above_half / (2.0 * 0x7f800000));
    }
}

static void prove(int function)
{
    tally_of_level tallies[8] = {{0}};
    const int best = gelu_best_level();
    feclearexcept(FE_ALL_EXCEPT);
    for (uint64_t first = 0; first < UINT64_C(1) << 32; first += BLOCK)
        if (finite_block((uint32_t)first))
            run_block(function, best, (uint32_t)first, tallies);
    const int flags = fetestexcept(LOUD);
    for (int level = 0; level <= best; level++) {
        begin("float32 %s %s", function_name(function), level_name(level));
        report(function, level, best, tallies + level);
        CHECK(flags == 0, "flags %#x are raised", (unsigned)flags);
        end();
    }
}

int main(int count, char **arguments)
{
    for (int function = 0; function < GELU_FUNCTION_COUNT; function++)
        if (is_chosen(function, count - 1, arguments + 1))
            prove(function);
    return finish();
}
