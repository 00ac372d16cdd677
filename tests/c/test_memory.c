/* Kernels touch their n elements only, at every length and alignment, and the bits of an element
   depend on nothing but its input: every call must give what calls for one element gave. */
#include "guard.h"
#include "subjects.h"

enum { LENGTHS = 131, UNTOUCHED = 0xa5 };

static guarded in, out;
static char inputs[LENGTHS * 8], expected[LENGTHS * 8];

static void prepare(const subject *s)
{
    uint64_t words[FEW_WORDS];
    few_words(s->f, words);
    for (size_t i = 0; i < LENGTHS; i++) {
        /* 37 is prime to their number: neighbours of very different kinds */
        const uint64_t word = words[i * 37 % FEW_WORDS];
        set_word(s->f, inputs, i, word);
        set_word(s->f, expected, i, result_of(s, word));
    }
}

static int is_untouched(const char *from, const char *to)
{
    while (from < to && *(const unsigned char *)from == UNTOUCHED)
        from++;
    return from == to;
}

static void check_call(const subject *s, char *x, char *y, size_t n)
{
    const size_t bytes = n * s->f.size;
    memset(out.start, UNTOUCHED, (size_t)(out.end - out.start));
    memcpy(x, inputs, bytes);
    s->kernel(x, y, n);
    CHECK(memcmp(y, expected, bytes) == 0, "n %zu, at %p and %p", n, (void *)x, (void *)y);
    CHECK(is_untouched(out.start, y) && is_untouched(y + bytes, out.end), "n %zu, at %p", n,
          (void *)y);
    CHECK(x == y || memcmp(x, inputs, bytes) == 0, "input changed, n %zu", n);
}

/* Each offset from a multiple of 64 bytes, at the front and at the back of the page. */
static void every_alignment(const subject *s)
{
    prepare(s);
    for (size_t n = 0; n < LENGTHS; n++)
        for (size_t shift = 0; shift < 64; shift += s->f.size) {
            const size_t back = n * s->f.size + shift;
            check_call(s, in.start + shift, out.start, n);
            check_call(s, in.start, out.start + shift, n);
            check_call(s, in.end - back, out.end - n * s->f.size, n);
            check_call(s, in.end - n * s->f.size, out.end - back, n);
            check_call(s, out.start + shift, out.start + shift, n);
            check_call(s, out.end - back, out.end - back, n);
        }
}

int main(void)
{
    in = guarded_page();
    out = guarded_page();
    for_each_kernel("memory and position", every_alignment);
    return finish();
}
