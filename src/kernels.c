/* The kernels of one SIMD level: compiled once per level, GELU_LEVEL being its name. Knows no
   mathematics. Every element of an array, in its body and in its remainder, goes through the same
   vector code, so a result depends on its own input alone. */
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

#include TEXT(simd/GELU_LEVEL.h)

#define GELU_COMPILE_KERNELS
#include "internal.h"

/* For each function f and F in f32, f64, the mathematics supplies
     f_fast_F(x, &ordinary)   and marks the lanes in which that is right: nearly all, usually;
     f_special_F(x)           right in the others, out of line to leave the registers to f_fast. */
#define DEFINE_KERNEL(function, F, FLOAT, mask, type)                                              \
    GELU_NOINLINE v##F function##_rare_##F(v##F x) { return function##_special_##F(x); }           \
                                                                                                   \
    GELU_INLINE v##F function##_lanes_##F(v##F x)                                                  \
    {                                                                                              \
        v##mask ordinary;                                                                          \
        v##F y = function##_fast_##F(x, &ordinary);                                                \
        if (GELU_UNLIKELY(!mask##_all(ordinary)))                                                  \
            y = F##_select(ordinary, y, function##_rare_##F(x));                                   \
        return y;                                                                                  \
    }                                                                                              \
                                                                                                   \
    static void function##_kernel_##F(const void *in, void *out, size_t n)                         \
    {                                                                                              \
        const type *x = in;                                                                        \
        type *y = out;                                                                             \
        size_t i = 0;                                                                              \
        for (; n - i >= FLOAT##_LANES; i += FLOAT##_LANES)                                         \
            F##_store(y + i, function##_lanes_##F(F##_load(x + i)));                               \
        if (i < n) {                                                                               \
            v##F rest = function##_lanes_##F(F##_load_partial(x + i, n - i));                      \
            F##_store_partial(y + i, rest, n - i);                                                 \
        }                                                                                          \
    }

#define X(function, ...)                                                                           \
    DEFINE_KERNEL(function, f32, F32, m32, float)                                                  \
    DEFINE_KERNEL(function, f64, F64, m64, double)
GELU_FUNCTIONS(X)
#undef X

extern const gelu_level JOIN(gelu_level_, GELU_LEVEL);
const gelu_level JOIN(gelu_level_, GELU_LEVEL) = {
    .name = TEXT(GELU_LEVEL),
    .has_fma = SIMD_HAS_FMA,
    .kernel =
        {
#define X(function, ...)                                                                           \
    [GELU_ID_##function] = {[GELU_float32] = function##_kernel_f32,                                \
                            [GELU_float64] = function##_kernel_f64},
            GELU_FUNCTIONS(X)
#undef X
        },
};
