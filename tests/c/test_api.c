/* The public functions, used as a program uses them: no level was selected before. */
#include "gelu_ufunc.h"

#include <string.h>

#include "check.h"
#include "control.h"
#include "internal.h"
#include "values.h"

enum { N = 2 * FEW_WORDS };

/* One call of the table's function i, which is of this function and dtype, against the best level. */
static void check_function(int i, int function, int dtype, const gelu_level *best)
{
    const gelu_public_function *const public = &gelu_public_functions[i];
    gelu_kernel *const call = (gelu_kernel *)public->function;
    const format f = format_of(dtype);
    uint64_t words[FEW_WORDS], x[N], y[N], expected[N];
    few_words(f, words);
    for (size_t k = 0; k < N; k++)
        set_word(f, x, k, quieted(f, words[k % FEW_WORDS]));
    begin("%s", public->name);
    check_control(call, x, y, N, flush_to_zero, FE_UPWARD);
    memset(y, 0, sizeof y);
    call(x, y, N - 1);
    CHECK(get_word(f, y, N - 1) == 0, "it wrote behind its array");
    call(x, y, N);
    (dtype < GELU_HALF_COUNT ? gelu_half_kernel[function][dtype]
                             : best->kernel[function][dtype])(x, expected, N);
    for (size_t k = 0; k < N; k++)
        CHECK(get_word(f, y, k) == get_word(f, expected, k), "at %zu", k);
    call(x, x, N);
    CHECK(memcmp(x, y, N * f.size) == 0, "in place");
    end();
}

/* By name: what the table holds is what the header declares. */
static void names(void)
{
    const float x = 1;
    float y = 0, z = 0;
    begin("names");
    gelu_silu_f32(&x, &y, 1);
    gelu_level_at(gelu_best_level())->kernel[GELU_ID_silu][GELU_float32](&x, &z, 1);
    CHECK(y == z && y > 0.73f && y < 0.74f, "silu(1) = %a, not %a", (double)y, (double)z);
    end();
}

int main(void)
{
    const gelu_level *const best = gelu_level_at(gelu_best_level());
    names();
    for (int f = 0; f < GELU_FUNCTION_COUNT; f++)
        for (int d = 0; d < GELU_DTYPE_COUNT; d++)
            check_function(f * GELU_DTYPE_COUNT + d, f, d, best);
    return finish();
}
