/* What compositions do beside a kernel, for one width: included by kernels.c with W = 32 and 64.

   Addition and multiplication are loops in C, of which compilers make vectors for each level: the
   vocabulary's may be silent. */
#include "simd/width.h"

#define LOAD(p, i, n) AT(load_f)((const NUMBER *)(p) + (i), (n) - (i))
#define STORE(p, i, n, v) AT(store_f)((NUMBER *)(p) + (i), v, (n) - (i))

static void AT(add_f)(const void *a, const void *b, void *out, size_t n)
{
    const NUMBER *const left = a, *const right = b;
    NUMBER *const sum = out;
    GELU_ELEMENTWISE
    for (size_t i = 0; i < n; i++)
        sum[i] = left[i] + right[i];
}

static void AT(multiply_f)(const void *a, const void *b, void *out, size_t n)
{
    const NUMBER *const left = a, *const right = b;
    NUMBER *const product = out;
    GELU_ELEMENTWISE
    for (size_t i = 0; i < n; i++)
        product[i] = left[i] * right[i];
}

static void AT(swish_step_f)(const void *x, const void *beta, const void *silu, void *out, size_t n)
{
    for (size_t i = 0; i < n; i += LANES)
        STORE(out, i, n, AT(swish_f)(LOAD(x, i, n), LOAD(beta, i, n), LOAD(silu, i, n)));
}

#undef LOAD
#undef STORE

#include "simd/end_width.h"
