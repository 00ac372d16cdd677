/* Functions of two numbers, block by block: a kernel, and one arithmetic operation before or after it.
   The kernel's flags are not the caller's business; the operation's are. Knows no SIMD level. */
#include "internal.h"

#include <string.h>

#include "compiler.h"
#include "fpstatus.h"

GELU_INLINE void quietly(gelu_kernel *kernel, const void *in, void *out, size_t n)
{
    const unsigned flags = gelu_fp_flags();
    kernel(in, out, n);
    gelu_fp_restore(flags);
}

GELU_INLINE const gelu_level *level(void) { return gelu_level_at(gelu_selected_level()); }

/* ---- float32 and float64 */

#define DEFINE(name, type)                                                                         \
    static void gradient_##name(int f, const void *gradient, const void *x, void *out, size_t n)   \
    {                                                                                              \
        _Alignas(64) type factor[GELU_BLOCK];                                                      \
        quietly(gelu_selected_kernel[f][GELU_##name], x, factor, n);                               \
        level()->steps[GELU_##name].multiply(gradient, factor, out, n);                            \
    }                                                                                              \
    static void gate_##name(int f, const void *x, const void *up, void *out, size_t n)             \
    {                                                                                              \
        gradient_##name(f, up, x, out, n);                                                         \
    }                                                                                              \
    static void sum_##name(int f, const void *x, const void *bias, void *out, size_t n)            \
    {                                                                                              \
        _Alignas(64) type sum[GELU_BLOCK];                                                         \
        level()->steps[GELU_##name].add(x, bias, sum, n);                                          \
        quietly(gelu_selected_kernel[f][GELU_##name], sum, out, n);                                \
    }                                                                                              \
    static void swish_##name(int f, const void *x, const void *beta, void *out, size_t n)          \
    {                                                                                              \
        _Alignas(64) type value[GELU_BLOCK];                                                       \
        const gelu_steps *const steps = &level()->steps[GELU_##name];                              \
        const unsigned flags = gelu_fp_flags();                                                    \
        steps->multiply(x, beta, value, n);                                                        \
        gelu_selected_kernel[f][GELU_##name](value, value, n);                                     \
        steps->swish(x, beta, value, out, n);                                                      \
        gelu_fp_restore(flags);                                                                    \
    }
DEFINE(float32, float)
DEFINE(float64, double)
#undef DEFINE

/* ---- the half types: float32's result, rounded. A sum of two of them is right in spite of its second
   rounding, for float32 has 2p + 2 bits. UNDERFLOW is not raised: a factor in the tail, which float32
   knows, underflows when it becomes the half type, whatever it is multiplied by. */

typedef struct {
    _Alignas(64) float a[GELU_BLOCK], b[GELU_BLOCK];
} wide_block;

GELU_INLINE void in_float32(gelu_composer *run, int half, int f, const void *a, const void *b,
                            void *out, size_t n)
{
    const unsigned flags = gelu_fp_flags();
    wide_block wide;
    level()->widen[half](a, wide.a, n);
    level()->widen[half](b, wide.b, n);
    run(f, wide.a, wide.b, wide.a, n);
    level()->narrow[half](wide.a, out, n);
    gelu_fp_restore(flags | ~(unsigned)GELU_FP_UNDERFLOW);
}

/* The sum is rounded to the half type, which has a table of f. */
GELU_INLINE void sum_half(int half, int f, const void *x, const void *bias, void *out, size_t n)
{
    wide_block wide;
    uint16_t sum[GELU_BLOCK];
    level()->widen[half](x, wide.a, n);
    level()->widen[half](bias, wide.b, n);
    level()->steps[GELU_float32].add(wide.a, wide.b, wide.a, n);
    level()->narrow[half](wide.a, sum, n);
    quietly(gelu_selected_kernel[f][half], sum, out, n);
}

#define DEFINE(half)                                                                               \
    static void gradient_##half(int f, const void *gradient, const void *x, void *out, size_t n)   \
    {                                                                                              \
        in_float32(gradient_float32, GELU_##half, f, gradient, x, out, n);                         \
    }                                                                                              \
    static void gate_##half(int f, const void *x, const void *up, void *out, size_t n)             \
    {                                                                                              \
        in_float32(gate_float32, GELU_##half, f, x, up, out, n);                                   \
    }                                                                                              \
    static void sum_##half(int f, const void *x, const void *bias, void *out, size_t n)            \
    {                                                                                              \
        sum_half(GELU_##half, f, x, bias, out, n);                                                 \
    }                                                                                              \
    static void swish_##half(int f, const void *x, const void *beta, void *out, size_t n)          \
    {                                                                                              \
        in_float32(swish_float32, GELU_##half, f, x, beta, out, n);                                \
    }
DEFINE(float16)
DEFINE(bfloat16)
#undef DEFINE

/* ---- the rows */

const gelu_composition gelu_compositions[GELU_COMPOSITION_COUNT] = {
#define AT(composition, dtype, f) [GELU_##dtype] = {composition##_##dtype, GELU_ID_##f}
#define X(name, composition, f)                                                                    \
    {#name,                                                                                        \
     #composition,                                                                                 \
     {AT(composition, float16, f), AT(composition, bfloat16, f), AT(composition, float32, f),      \
      AT(composition, float64, f)}},
    GELU_COMPOSITIONS(X)
#undef X
#undef AT
};

/* A factor's error in ULP may double when the product's significand is the smaller, and the product is
   rounded. In the half types the factor has the error of float32, 2^-13 of float16's ULP. */
gelu_limit gelu_composition_limit(int composition, int dtype)
{
    const gelu_composition *const row = &gelu_compositions[composition];
    const gelu_limit f = gelu_functions[row->composed[dtype].function].limit[dtype];
    if (strcmp(row->composition, "sum") == 0)
        return f;
    if (dtype < GELU_HALF_COUNT)
        return (gelu_limit){0.501, 0.501};
    return (gelu_limit){2 * f.ulp + 0.5, 2 * f.ulp_no_fma + 0.5};
}
