/* The private contract between the layers of the C library. No Python, no NumPy, no SIMD. */
#ifndef GELU_INTERNAL_H
#define GELU_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

#include "registry.h"

/* In the Python package the C library is one of its own, and the extension module, which uses what is
   declared here, another. */
#ifdef GELU_EXPORT_INTERNALS
#pragma GCC visibility push(default)
#endif

/* ---- kernels: out[i] = f(in[i]) for i < n, contiguous; in == out is allowed, other overlap is not.
   They raise no floating-point flag but INEXACT (a signalling NaN raises INVALID). */
typedef void gelu_kernel(const void *in, void *out, size_t n);

/* The dtypes, in NumPy's order of preference: name, and the type that holds one. The half types come
   first. */
#define GELU_DTYPES(X)                                                                             \
    X(float16, uint16_t)                                                                           \
    X(bfloat16, uint16_t)                                                                          \
    X(float32, float)                                                                              \
    X(float64, double)

enum gelu_dtype {
#define X(name, type) GELU_##name,
    GELU_DTYPES(X)
#undef X
        GELU_DTYPE_COUNT
};

enum { GELU_HALF_COUNT = GELU_float32 };

enum gelu_function_id {
#define X(name, ...) GELU_ID_##name,
    GELU_FUNCTIONS(X)
#undef X
        GELU_FUNCTION_COUNT
};

/* ---- steps: what compositions do beside a kernel; out may be any of the inputs. */

/* IEEE's addition and multiplication, with the flags that these raise. */
typedef void gelu_arithmetic(const void *a, const void *b, void *out, size_t n);

/* x sigma(beta x) from silu = silu(v), v = beta x rounded. Raises flags. */
typedef void gelu_swish_step(const void *x, const void *beta, const void *silu, void *out,
                             size_t n);

typedef struct {
    gelu_arithmetic *add, *multiply;
    gelu_swish_step *swish;
} gelu_steps;

/* Between a half type and float32. Narrowing rounds to nearest, ties to even, and raises OVERFLOW as
   an operation of the half type would, but no UNDERFLOW. */
typedef void gelu_widening(const uint16_t *in, float *out, size_t n);
typedef void gelu_narrowing(const float *in, uint16_t *out, size_t n);

/* What one SIMD level provides: kernels.c, compiled for that level, defines gelu_level_<name>. It has
   no kernels for the half types, which look up what its float64 kernels have given, and no steps. */
typedef struct {
    const char *name;
    int has_fma; /* fused multiply-add in hardware: then all levels give the same bits */
    gelu_kernel *kernel[GELU_FUNCTION_COUNT][GELU_DTYPE_COUNT];
    gelu_steps steps[GELU_DTYPE_COUNT];
    gelu_widening *widen[GELU_HALF_COUNT];
    gelu_narrowing *narrow[GELU_HALF_COUNT];
} gelu_level;

/* ---- half.c */

extern gelu_kernel *const gelu_half_kernel[GELU_FUNCTION_COUNT][GELU_HALF_COUNT];

/* The level whose float64 kernels the tables are filled by, from now on. Thread-safe only where all
   threads give the same level. */
void gelu_half_use(const gelu_level *level);

/* ---- dispatch.c */

/* The kernels of the selected level: none until gelu_select_level is called, which alone writes them.
   The ufuncs' loops keep pointers to these slots. */
extern gelu_kernel *gelu_selected_kernel[GELU_FUNCTION_COUNT][GELU_DTYPE_COUNT];

/* Levels this library holds, worst first, and whether this CPU and system can run them. */
int gelu_level_count(void);
const gelu_level *gelu_level_at(int index);
int gelu_level_is_available(int index);

/* The index of the best available level; that of a name in any letter case, or -1 if this library has
   none such; that of the selected level, 0 until one is selected. */
int gelu_best_level(void);
int gelu_find_level(const char *name);
int gelu_selected_level(void);

/* 0, or -1 if the level is not available: then nothing changes. Not thread-safe. */
int gelu_select_level(int index);

/* The kernel of the selected level or, as long as none is selected, of the best available one. */
gelu_kernel *gelu_kernel_in_use(int function, int dtype);

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
    size_t size;
} gelu_dtype_info;

extern const gelu_function gelu_functions[GELU_FUNCTION_COUNT];
extern const gelu_dtype_info gelu_dtypes[GELU_DTYPE_COUNT];

/* ---- compositions.c */

/* So few that memory is read and written almost without a break: with 1024 arrays beyond the cache took
   a third longer. */
enum { GELU_BLOCK = 256 };

/* out[i] from a[i] and b[i], contiguous, i < n <= GELU_BLOCK; out may be a or b. */
typedef void gelu_composer(int function, const void *a, const void *b, void *out, size_t n);

enum {
#define X(name, ...) GELU_ID_##name,
    GELU_COMPOSITIONS(X)
#undef X
        GELU_COMPOSITION_COUNT
};

typedef struct {
    gelu_composer *run;
    int function;
} gelu_composed;

/* A row of the registry. */
typedef struct {
    const char *name, *composition;
    gelu_composed composed[GELU_DTYPE_COUNT];
} gelu_composition;

extern const gelu_composition gelu_compositions[GELU_COMPOSITION_COUNT];

/* The largest error in ULP: see compositions.c. */
gelu_limit gelu_composition_limit(int composition, int dtype);

/* ---- loops.c: NumPy's inner-loop signature (ptrdiff_t is npy_intp). */
typedef void gelu_loop(char **args, const ptrdiff_t *dimensions, const ptrdiff_t *steps,
                       void *data);

/* For each dtype the loop of one input, whose data is a slot above, and that of two, whose data is a
   gelu_composed. */
extern gelu_loop *const gelu_unary_loop[GELU_DTYPE_COUNT];
extern gelu_loop *const gelu_binary_loop[GELU_DTYPE_COUNT];

/* ---- api.c: the public functions (gelu_ufunc.h), for those who cannot link them. */
typedef struct {
    const char *name;
    const char *signature; /* as Cython spells it */
    void (*function)(void);
} gelu_public_function;

enum { GELU_PUBLIC_COUNT = GELU_FUNCTION_COUNT * GELU_DTYPE_COUNT };

extern const gelu_public_function gelu_public_functions[GELU_PUBLIC_COUNT];

#ifdef GELU_EXPORT_INTERNALS
#pragma GCC visibility pop
#endif

#endif
