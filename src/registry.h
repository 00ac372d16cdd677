/* THE list of functions. Everything else (kernels, dispatch table, ufuncs, tests, benchmark) is
   expanded from these rows or walks over them.

   X(name, float32, float64)

   float32, float64: LIMIT(ulp, ulp_no_fma): the largest error that is promised, in ULP, for every
   finite input, derivatives across their zero included; ulp_no_fma on a baseline without hardware FMA,
   ulp on all other levels, which give the same bits. float16 and bfloat16 have no column: they are
   correctly rounded on every level.

   ULP error = |got - exact| / ulp(exact), where ulp(exact) is the distance of neighbouring numbers
   of the format at the exact value, the subnormal spacing below the normal range.

   docs/contributing.md walks through what a new row needs; tests/test_registry.py names what is
   missing. */
#ifndef GELU_REGISTRY_H
#define GELU_REGISTRY_H

#define GELU_FUNCTIONS(X)                                                                          \
    X(gelu, LIMIT(1.0, 1.0), LIMIT(1.0, 2.0))                                                      \
    X(gelu_grad, LIMIT(1.0, 1.0), LIMIT(1.0, 2.0))                                                 \
    X(gelu_tanh, LIMIT(1.0, 1.0), LIMIT(1.0, 2.0))                                                 \
    X(gelu_tanh_grad, LIMIT(1.0, 1.0), LIMIT(1.0, 2.0))                                            \
    X(gelu_sigmoid, LIMIT(1.0, 1.0), LIMIT(1.0, 2.0))                                              \
    X(gelu_sigmoid_grad, LIMIT(1.0, 1.0), LIMIT(1.0, 2.0))                                         \
    X(silu, LIMIT(1.0, 1.0), LIMIT(1.0, 2.0))                                                      \
    X(silu_grad, LIMIT(1.0, 1.0), LIMIT(1.0, 2.0))                                                 \
    X(erf, LIMIT(1.0, 1.0), LIMIT(1.0, 2.0))

/* THE list of functions of two numbers, each composed of a function f above. X(name, composition, f):

     gradient(g, x)    g f(x)
     gate(x, up)       f(x) up
     sum(x, bias)      f(x + bias)
     swish(x, beta)    f(beta x) / beta

   src/compositions.c defines these. */
#define GELU_COMPOSITIONS(X)                                                                       \
    X(gelu_backward, gradient, gelu_grad)                                                          \
    X(gelu_tanh_backward, gradient, gelu_tanh_grad)                                                \
    X(gelu_sigmoid_backward, gradient, gelu_sigmoid_grad)                                          \
    X(silu_backward, gradient, silu_grad)                                                          \
    X(bias_gelu, sum, gelu)                                                                        \
    X(bias_gelu_tanh, sum, gelu_tanh)                                                              \
    X(bias_gelu_sigmoid, sum, gelu_sigmoid)                                                        \
    X(bias_silu, sum, silu)                                                                        \
    X(geglu, gate, gelu)                                                                           \
    X(geglu_tanh, gate, gelu_tanh)                                                                 \
    X(geglu_sigmoid, gate, gelu_sigmoid)                                                           \
    X(swiglu, gate, silu)                                                                          \
    X(swish, swish, silu)

#endif

/* The mathematics, one file per formula; seen only where a kernel is compiled (kernels.c). */
#ifdef GELU_COMPILE_KERNELS
#include "math/gelu.h"
#include "math/gelu_tanh.h"
#include "math/gelu_sigmoid.h"
#include "math/silu.h"
#include "math/erf.h"
#include "math/swish.h"
#endif
