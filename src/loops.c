/* NumPy's inner loops: from strides to the contiguous arrays that kernels take. Knows no
   mathematics and no SIMD level; elements are so many bytes.

   What is not contiguous goes block by block: gather the inputs, run the kernel, scatter the result.
   Loops of two inputs go by blocks in any case, for a composition holds what is between its steps. */
#include "internal.h"

#include <string.h>

#include "compiler.h"
#include "fpstatus.h"

/* Small enough for the L1 cache and any thread's stack, large enough to hide the kernel's start. */
enum { BLOCK_BYTES = 4096 };

/* An operand: where its first element is, and how many bytes on the next one is. */
typedef struct {
    char *at;
    ptrdiff_t step;
} operand;

/* All copies: gather, scatter, and fill (from.step 0). `size` is a constant wherever this is
   inlined: memcpy becomes one move, whatever the alignment. */
GELU_INLINE void copy(operand to, operand from, ptrdiff_t n, ptrdiff_t size)
{
    for (ptrdiff_t i = 0; i < n; i++)
        memcpy(to.at + i * to.step, from.at + i * from.step, (size_t)size);
}

GELU_INLINE void advance(operand *a, ptrdiff_t n) { a->at += n * a->step; }

/* The next n elements of an input, contiguous: where they are, or else gathered into the block. Where
   the step is 0 there is one element, or a block that `spread` has filled with it. */
GELU_INLINE const char *gathered(operand in, char *block, ptrdiff_t n, ptrdiff_t size)
{
    if (in.step == size || in.step == 0)
        return in.at;
    copy((operand){block, size}, in, n, size);
    return block;
}

GELU_INLINE void unary_blocks(operand in, operand out, ptrdiff_t n, ptrdiff_t size,
                              gelu_kernel *kernel)
{
    _Alignas(64) char block[BLOCK_BYTES];
    const int scatter = out.step != size;
    while (n > 0) {
        const ptrdiff_t length = n < BLOCK_BYTES / size ? n : BLOCK_BYTES / size;
        char *const result = scatter ? block : out.at;
        kernel(gathered(in, block, length, size), result, (size_t)length);
        if (scatter)
            copy(out, (operand){block, size}, length, size);
        advance(&in, length);
        advance(&out, length);
        n -= length;
    }
}

/* One input for the whole output (a broadcast array). */
GELU_INLINE void unary_fill(operand in, operand out, ptrdiff_t n, ptrdiff_t size,
                            gelu_kernel *kernel)
{
    _Alignas(8) char memory[8];
    kernel(in.at, memory, 1);
    copy(out, (operand){memory, 0}, n, size);
}

GELU_INLINE void unary(char **args, const ptrdiff_t *dimensions, const ptrdiff_t *steps, void *slot,
                       ptrdiff_t size)
{
    gelu_kernel *const kernel = *(gelu_kernel **)slot;
    const operand in = {args[0], steps[0]}, out = {args[1], steps[1]};
    const ptrdiff_t n = dimensions[0];
    const unsigned flags = gelu_fp_flags();
    if (n <= 1 || (in.step == size && out.step == size)) /* a single element may come with step 0 */
        kernel(in.at, out.at, (size_t)n);
    else if (in.step == 0)
        unary_fill(in, out, n, size, kernel);
    else
        unary_blocks(in, out, n, size, kernel);
    gelu_fp_restore(flags);
}

/* ---- two inputs */

/* A step of 0 as a block of that number, filled once. It stays where it is when advanced. */
GELU_INLINE operand spread(operand in, char *block, ptrdiff_t n, ptrdiff_t size)
{
    if (in.step != 0)
        return in;
    copy((operand){block, size}, in, n < GELU_BLOCK ? n : GELU_BLOCK, size);
    return (operand){block, 0};
}

/* In reduce and accumulate each result is the first input of the next element. */
GELU_INLINE int is_chained(operand a, operand out)
{
    return a.at + a.step == out.at && a.step == out.step;
}

GELU_INLINE void binary(char **args, const ptrdiff_t *dimensions, const ptrdiff_t *steps,
                        const gelu_composed *composed, ptrdiff_t size)
{
    _Alignas(64) char memory[3][GELU_BLOCK * sizeof(double)];
    operand a = {args[0], steps[0]}, b = {args[1], steps[1]}, out = {args[2], steps[2]};
    const int chained = is_chained(a, out), scatter = out.step != size;
    const ptrdiff_t block = chained ? 1 : GELU_BLOCK;
    if (!chained) {
        a = spread(a, memory[0], dimensions[0], size);
        b = spread(b, memory[1], dimensions[0], size);
    }
    for (ptrdiff_t n = dimensions[0], length; n > 0; n -= length) {
        length = n < block ? n : block;
        char *const result = scatter ? memory[2] : out.at;
        composed->run(composed->function, gathered(a, memory[0], length, size),
                      gathered(b, memory[1], length, size), result, (size_t)length);
        if (scatter)
            copy(out, (operand){memory[2], size}, length, size);
        advance(&a, length);
        advance(&b, length);
        advance(&out, length);
    }
}

/* ---- loops for each dtype: the size of its elements is then a constant. */

#define X(name, type)                                                                              \
    static void unary_##name(char **args, const ptrdiff_t *dimensions, const ptrdiff_t *steps,     \
                             void *slot)                                                           \
    {                                                                                              \
        unary(args, dimensions, steps, slot, sizeof(type));                                        \
    }                                                                                              \
    static void binary_##name(char **args, const ptrdiff_t *dimensions, const ptrdiff_t *steps,    \
                              void *composed)                                                      \
    {                                                                                              \
        binary(args, dimensions, steps, composed, sizeof(type));                                   \
    }
GELU_DTYPES(X)
#undef X

gelu_loop *const gelu_unary_loop[GELU_DTYPE_COUNT] = {
#define X(name, type) unary_##name,
    GELU_DTYPES(X)
#undef X
};

gelu_loop *const gelu_binary_loop[GELU_DTYPE_COUNT] = {
#define X(name, type) binary_##name,
    GELU_DTYPES(X)
#undef X
};
