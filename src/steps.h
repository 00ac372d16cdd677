/* What compositions do beside a kernel, for one width: included by kernels.c with W = 32 and 64.

   By the vocabulary and not by a loop in C, because out may be an input, which compilers take for a
   reason not to vectorise. */
#define AT(name) JOIN(name, W)
#define NUMBER AT(NUMBER_)
#define VECTOR AT(vf)
#define LANES JOIN(JOIN(F, W), _LANES)
#define LOAD(p, i, n) AT(load_f)((const NUMBER *)(p) + (i), (n) - (i))
#define STORE(p, i, n, v) AT(store_f)((NUMBER *)(p) + (i), v, (n) - (i))

static void AT(add_f)(const void *a, const void *b, void *out, size_t n)
{
    for (size_t i = 0; i < n; i += LANES)
        STORE(out, i, n, JOIN(AT(f), _add)(LOAD(a, i, n), LOAD(b, i, n)));
}

static void AT(multiply_f)(const void *a, const void *b, void *out, size_t n)
{
    for (size_t i = 0; i < n; i += LANES)
        STORE(out, i, n, JOIN(AT(f), _mul)(LOAD(a, i, n), LOAD(b, i, n)));
}

static void AT(swish_step_f)(const void *x, const void *beta, const void *silu, void *out, size_t n)
{
    for (size_t i = 0; i < n; i += LANES)
        STORE(out, i, n, AT(swish_f)(LOAD(x, i, n), LOAD(beta, i, n), LOAD(silu, i, n)));
}

#undef W
#undef AT
#undef NUMBER
#undef VECTOR
#undef LANES
#undef LOAD
#undef STORE
