/* The public functions: the kernels of the level in use, each under a name and with its types. */
#include "gelu_ufunc.h"

#include "internal.h"
#include "macros.h"

/* Public names begin with gelu_, so that they collide with nobody's. */
#define erf gelu_erf
#define silu gelu_silu
#define silu_grad gelu_silu_grad

/* Y(name, id, suffix, type, dtype) for each dtype. */
#define DTYPES(Y, name, id)                                                                        \
    Y(name, id, f16, uint16_t, float16)                                                            \
    Y(name, id, bf16, uint16_t, bfloat16)                                                          \
    Y(name, id, f32, float, float32)                                                               \
    Y(name, id, f64, double, float64)

#define DEFINE(name, id, suffix, type, dtype)                                                      \
    void name##_##suffix(const type *x, type *y, size_t n)                                         \
    {                                                                                              \
        gelu_kernel_in_use(id, GELU_##dtype)(x, y, n);                                             \
    }
#define X(f, ...) DTYPES(DEFINE, f, GELU_ID_##f)
GELU_FUNCTIONS(X)
#undef X

#define ROW(name, id, suffix, type, dtype)                                                         \
    {TEXT(name##_##suffix), "void (" #type " const *, " #type " *, size_t)",                       \
     (void (*)(void))name##_##suffix},
#define X(f, ...) DTYPES(ROW, f, GELU_ID_##f)
const gelu_public_function gelu_public_functions[GELU_PUBLIC_COUNT] = {GELU_FUNCTIONS(X)};
#undef X
