/* More than 2^32 numbers in one call: kernels and NumPy's inner loops count that far. Arrays are a
   small file mapped again and again, and a page of their own behind it, which is what is looked at. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "subjects.h"

enum { TAIL = 4096, SOME = 100 };

static const size_t chunk = (size_t)1 << 24, length = ((size_t)1 << 32) + SOME;

static void *need(void *memory, const char *what)
{
    if (memory != MAP_FAILED)
        return memory;
    perror(what);
    exit(1);
}

/* `length` elements of that size, the last SOME of which begin the page behind. */
static char *large_array(size_t size)
{
    const size_t bytes = (length - SOME) * size;
    const int file = memfd_create("chunk", 0);
    char *const all = need(mmap(NULL, bytes + TAIL, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0),
                           "room for an array");
    if (file < 0 || ftruncate(file, (off_t)chunk) != 0)
        need(MAP_FAILED, "a file in memory");
    for (size_t at = 0; at < bytes; at += chunk)
        need(mmap(all + at, chunk, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0),
             "a chunk of an array");
    close(file);
    return all;
}

static void check_tail(const subject *s, const char *in, const char *out, const char *what)
{
    for (size_t i = length - SOME; i < length; i++) {
        const uint64_t want = result_of(s, get_word(s->f, in, i));
        CHECK(get_word(s->f, out, i) == want, "%s, element %zu", what, i);
    }
}

static void check_dtype(int dtype)
{
    const subject s = subject_of(gelu_best_level(), GELU_ID_gelu, dtype);
    char *const in = large_array(s.f.size), *const out = large_array(s.f.size);
    for (size_t i = length - SOME; i < length; i++)
        set_word(s.f, in, i, value_word(s.f, (double)(i % SOME) / 16 - 3));
    begin("2^32 numbers and more, %s", dtype_name(dtype));
    s.kernel(in, out, length);
    check_tail(&s, in, out, "kernel");
    char *operands[3] = {in, in, out};
    const ptrdiff_t n = (ptrdiff_t)length, step = (ptrdiff_t)s.f.size;
    const ptrdiff_t steps[3] = {step, step, step};
    gelu_composed composed = gelu_compositions[GELU_ID_geglu].composed[dtype];
    memset(out + (length - SOME) * s.f.size, 0, TAIL);
    gelu_binary_loop[dtype](operands, &n, steps, &composed);
    for (size_t i = length - SOME; i < length; i++) {
        uint64_t want = 0;
        composed.run(composed.function, in + i * s.f.size, in + i * s.f.size, &want, 1);
        CHECK(get_word(s.f, out, i) == get_word(s.f, &want, 0), "two inputs, element %zu", i);
    }
    end();
    munmap(in, length * s.f.size);
    munmap(out, length * s.f.size);
}

int main(void)
{
    for (int dtype = 0; dtype < GELU_DTYPE_COUNT; dtype++)
        check_dtype(dtype);
    return finish();
}
