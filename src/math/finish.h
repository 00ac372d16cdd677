/* From h(|x|) to f(x), and the inputs that need neither table nor exponential: the same for every
   function. Values are f(x) = relu(x) - h(|x|); derivatives are D(|x|) for x < 0, else 1 - D(|x|);
   odd functions are h(|x|) with the sign of x. */
#ifndef GELU_FINISH_H
#define GELU_FINISH_H

/* Below this, f(x) is x/2 to working precision. Kernels compute on max(|x|, TINY), so that nothing in
   them underflows, and give these lanes half(x). */
#define TINY_F32 0x1p-100f
#define TINY_F64 0x1p-58

#define W 32
#include "finish_width.h"
#define W 64
#include "finish_width.h"

#endif
