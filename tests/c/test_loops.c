/* The inner loops: any strides give what the kernel gives on gathered elements, nothing else is
   written, and floating-point flags are those that the caller had, whatever the kernel does. */
#include "subjects.h"

enum { MOST = 2100, WIDEST = 26, ARRAY = MOST * WIDEST + 64, UNTOUCHED = 0x5a };

static _Alignas(64) char memory_in[ARRAY], memory_out[ARRAY], kept_in[ARRAY], wanted_out[ARRAY];
static _Alignas(64) char gathered[MOST * 8], result[MOST * 8];

/* Where element 0 lies, so that all of them are inside. */
static size_t first_of(size_t n, ptrdiff_t step)
{
    return step < 0 && n > 0 ? (size_t)(-step) * (n - 1) : 0;
}

static void run(int dtype, gelu_kernel *kernel, char *x, ptrdiff_t xstep, char *y, ptrdiff_t ystep,
                size_t n)
{
    char *arguments[2] = {x, y};
    const ptrdiff_t length = (ptrdiff_t)n, steps[2] = {xstep, ystep};
    gelu_unary_loop[dtype](arguments, &length, steps, &kernel);
}

/* One call; the two operands may be one. */
static void check_strides(const subject *s, size_t n, ptrdiff_t xstep, ptrdiff_t ystep,
                          int in_place)
{
    const size_t size = s->f.size, x0 = first_of(n, xstep), y0 = first_of(n, ystep);
    const size_t used = n * WIDEST + 64;
    char *const source = in_place ? memory_out : memory_in;
    memset(memory_out, UNTOUCHED, used);
    memcpy(source, kept_in, used);
    memcpy(wanted_out, memory_out, used);
    for (size_t i = 0; i < n; i++)
        memcpy(gathered + i * size, source + x0 + (ptrdiff_t)i * xstep, size);
    s->kernel(gathered, result, n);
    for (size_t i = 0; i < n; i++)
        memcpy(wanted_out + y0 + (ptrdiff_t)i * ystep, result + i * size, size);
    run(s->dtype, s->kernel, source + x0, xstep, memory_out + y0, ystep, n);
    CHECK(memcmp(memory_out, wanted_out, used) == 0, "n %zu, strides %td and %td%s", n, xstep,
          ystep, in_place ? ", in place" : "");
    CHECK(in_place || memcmp(memory_in, kept_in, used) == 0, "input changed, n %zu, stride %td", n,
          xstep);
}

/* Multiples of the element's size and odd ones; the output's do not overlap. */
static void check_length(const subject *s, size_t n)
{
    const ptrdiff_t size = (ptrdiff_t)s->f.size;
    const ptrdiff_t steps[] = {size, size + 1, 2 * size, 3 * size + 1};
    for (size_t i = 0; i < 8; i++) {
        const ptrdiff_t xstep = i & 1 ? -steps[i / 2] : steps[i / 2];
        for (size_t j = 0; j < 8; j++)
            check_strides(s, n, xstep, j & 1 ? -steps[j / 2] : steps[j / 2], 0);
        check_strides(s, n, 0, xstep, 0);
        check_strides(s, n, xstep, xstep, 1);
    }
}

static void strides(const subject *s)
{
    /* around multiples of the loop's block: 512, 1024 or 2048 elements */
    static const size_t long_ones[] = {255, 256, 511, 512, 513, 600, 1023, 1024, 1025, 2048, 2049};
    uint64_t words[FEW_WORDS];
    few_words(s->f, words);
    /* Whatever numbers an odd stride makes of these bytes will do: the kernel gets the same. */
    for (size_t i = 0; i < ARRAY / s->f.size; i++)
        set_word(s->f, kept_in, i, words[random_word() % FEW_WORDS]);
    for (size_t n = 0; n <= 130; n++)
        check_length(s, n);
    for (size_t i = 0; i < COUNT(long_ones); i++)
        check_length(s, long_ones[i]);
}

/* Raises one flag of each kind, by arithmetic as a real kernel would: feraiseexcept may raise it in
   another register than the SIMD unit's. Copies no more than the smallest elements take up. */
static void noisy(const void *in, void *out, size_t n)
{
    volatile float zero = 0, one = 1, huge = 0x1p100f, tiny = 0x1p-100f;
    memcpy(out, in, n * 2);
    one = one / zero;
    zero = zero / zero;
    huge *= huge;
    tiny *= tiny;
}

static int raised_after(int dtype, int raised_before, ptrdiff_t xstep, ptrdiff_t ystep, size_t n)
{
    volatile float zero = 0, one = 1, huge = 0x1p100f;
    feclearexcept(FE_ALL_EXCEPT);
    if (raised_before & FE_DIVBYZERO)
        one = one / zero;
    if (raised_before & FE_OVERFLOW)
        huge *= huge;
    run(dtype, noisy, memory_in, xstep, memory_out, ystep, n);
    return fetestexcept(LOUD);
}

static void flags(int dtype)
{
    static const int before[] = {0, FE_DIVBYZERO, FE_OVERFLOW, FE_DIVBYZERO | FE_OVERFLOW};
    const ptrdiff_t size = (ptrdiff_t)gelu_dtypes[dtype].size;
    feclearexcept(FE_ALL_EXCEPT);
    noisy(memory_in, memory_out, 1);
    CHECK(fetestexcept(LOUD) == LOUD, "the noisy kernel is not noisy");
    for (size_t i = 0; i < COUNT(before); i++)
        for (size_t n = 1; n <= 2049; n = 2 * n - n / 4 + 1)
            for (ptrdiff_t xstep = 0; xstep <= 2 * size; xstep += size)
                for (ptrdiff_t ystep = size; ystep <= 2 * size; ystep += size) {
                    const int after = raised_after(dtype, before[i], xstep, ystep, n);
                    CHECK(after == before[i], "flags %#x, then %#x, n %zu, strides %td and %td",
                          (unsigned)before[i], (unsigned)after, n, xstep, ystep);
                }
    feclearexcept(FE_ALL_EXCEPT);
}

int main(void)
{
    for_each_kernel("strides", strides);
    for (int dtype = 0; dtype < GELU_DTYPE_COUNT; dtype++) {
        begin("flags kept %s", dtype_name(dtype));
        flags(dtype);
        end();
    }
    return finish();
}
