/* The private contract between the layers of the C library. No Python, no NumPy, no SIMD. */
#ifndef GELU_INTERNAL_H
#define GELU_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

#include "registry.h"

/* ---- kernels: out[i] = f(in[i]) for i < n, contiguous; in == out is allowed, other overlap is not.
   They raise no floating-point flag but INEXACT (a signalling NaN raises INVALID). */
typedef void gelu_kernel(const void *in, void *out, size_t n);

/* The dtypes, in NumPy's order of preference: name, the type that holds one, NumPy's character. */
#define GELU_DTYPES(X)                                                                             \
    X(float16, uint16_t, 'e')                                                                      \
    X(float32, float, 'f')                                                                         \
    X(float64, double, 'd')

enum gelu_dtype {
#define X(name, type, character) GELU_##name,
    GELU_DTYPES(X)
#undef X
        GELU_DTYPE_COUNT
};

enum gelu_function_id {
#define X(name, ...) GELU_ID_##name,
    GELU_FUNCTIONS(X)
#undef X
        GELU_FUNCTION_COUNT
};

/* What one SIMD level provides: kernels.c, compiled for that level, defines gelu_level_<name>. */
typedef struct {
    const char *name;
    int has_fma; /* fused multiply-add in hardware: then all levels give the same bits */
    gelu_kernel *kernel[GELU_FUNCTION_COUNT][GELU_DTYPE_COUNT];
} gelu_level;

/* ---- dispatch.c */

/* The kernel in use for each function and dtype: none until gelu_select_level is called, which alone
   writes them. The ufuncs' loops keep pointers to these slots. */
extern gelu_kernel *gelu_active_kernel[GELU_FUNCTION_COUNT][GELU_DTYPE_COUNT];

/* Levels this library holds, worst first, and whether this CPU and system can run them. */
int gelu_level_count(void);
const gelu_level *gelu_level_at(int index);
int gelu_level_is_available(int index);

int gelu_selected_level(void); /* index of the level in use */
int gelu_best_level(void);     /* index of the best available one */
int gelu_find_level(
    const char *name);            /* index, letter case ignored; -1: this library has none such */
int gelu_select_level(int index); /* 0; -1 if it is not available. Not thread-safe. */

/* Rows of the registry, for code that walks over it. */
typedef struct {
    double ulp, ulp_no_fma; /* the largest error, in ULP; the latter on a level without FMA */
} gelu_limit;

typedef struct {
    const char *name;
    gelu_limit limit[GELU_DTYPE_COUNT];
} gelu_function;

typedef struct {
    const char *name;
    char character; /* NumPy's type character */
    size_t size;
} gelu_dtype_info;

extern const gelu_function gelu_functions[GELU_FUNCTION_COUNT];
extern const gelu_dtype_info gelu_dtypes[GELU_DTYPE_COUNT];

/* ---- loops.c: NumPy's inner-loop signature (ptrdiff_t is npy_intp); data is a slot above. */
typedef void gelu_loop(char **args, const ptrdiff_t *dimensions, const ptrdiff_t *steps,
                       void *data);

/* The unary loop for each dtype. */
extern gelu_loop *const gelu_unary_loop[GELU_DTYPE_COUNT];

#endif
