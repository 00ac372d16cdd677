/* The choice of a SIMD level, and the tables that describe what there is. Knows no mathematics. */
#include "internal.h"

#include <stdatomic.h>

#include "compiler.h"
#include "config.h" /* written by meson.build: GELU_LEVELS(X), X(name, CPU features it needs) */
#include "cpu.h"
#include "macros.h"

#define X(name, features) extern const gelu_level gelu_level_##name;
GELU_LEVELS(X)
#undef X

static const struct {
    const gelu_level *level;
    unsigned features;
} levels[] = {
#define X(name, features) {&gelu_level_##name, features},
    GELU_LEVELS(X)
#undef X
};

enum { LEVEL_COUNT = COUNT(levels) };

const gelu_function gelu_functions[GELU_FUNCTION_COUNT] = {
#define LIMIT(ulp, ulp_no_fma) {ulp, ulp_no_fma}
#define CORRECTLY_ROUNDED LIMIT(0.5, 0.5)
#define X(name, limit32, limit64)                                                                  \
    {#name,                                                                                        \
     {[GELU_float16] = CORRECTLY_ROUNDED,                                                          \
      [GELU_bfloat16] = CORRECTLY_ROUNDED,                                                         \
      [GELU_float32] = limit32,                                                                    \
      [GELU_float64] = limit64}},
    GELU_FUNCTIONS(X)
#undef X
#undef CORRECTLY_ROUNDED
#undef LIMIT
};

const gelu_dtype_info gelu_dtypes[GELU_DTYPE_COUNT] = {
#define X(name, type) {#name, sizeof(type)},
    GELU_DTYPES(X)
#undef X
};

gelu_kernel *gelu_selected_kernel[GELU_FUNCTION_COUNT][GELU_DTYPE_COUNT];

static int selected;
static const gelu_level *_Atomic in_use;

int gelu_level_count(void) { return LEVEL_COUNT; }

const gelu_level *gelu_level_at(int index) { return levels[index].level; }

int gelu_level_is_available(int index)
{
    return index >= 0 && index < LEVEL_COUNT &&
           (gelu_cpu_features() & levels[index].features) == levels[index].features;
}

int gelu_selected_level(void) { return selected; }

int gelu_best_level(void)
{
    int best = LEVEL_COUNT - 1;
    while (!gelu_level_is_available(best))
        best--; /* ends at the baseline, which needs no feature */
    return best;
}

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static int same_name(const char *a, const char *b)
{
    while (*a && lower(*a) == lower(*b))
        a++, b++;
    return lower(*a) == lower(*b);
}

int gelu_find_level(const char *name)
{
    for (int i = 0; i < LEVEL_COUNT; i++)
        if (same_name(name, gelu_level_at(i)->name))
            return i;
    return -1;
}

static void use(const gelu_level *level)
{
    gelu_half_use(level);
    atomic_store_explicit(&in_use, level, memory_order_release);
}

static gelu_kernel *kernel_of(const gelu_level *level, int f, int d)
{
    return d < GELU_HALF_COUNT ? gelu_half_kernel[f][d] : level->kernel[f][d];
}

/* Several threads may be the first to ask: all of them choose the same level. */
gelu_kernel *gelu_kernel_in_use(int function, int dtype)
{
    const gelu_level *level = atomic_load_explicit(&in_use, memory_order_acquire);
    if (GELU_UNLIKELY(!level)) {
        level = gelu_level_at(gelu_best_level());
        use(level);
    }
    return kernel_of(level, function, dtype);
}

int gelu_select_level(int index)
{
    if (!gelu_level_is_available(index))
        return -1;
    selected = index;
    use(gelu_level_at(index));
    for (int f = 0; f < GELU_FUNCTION_COUNT; f++)
        for (int d = 0; d < GELU_DTYPE_COUNT; d++)
            gelu_selected_kernel[f][d] = kernel_of(gelu_level_at(index), f, d);
    return 0;
}
