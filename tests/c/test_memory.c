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

/* Longer than the kernels' blocks, rare numbers among ordinary ones in every proportion: kernels may
   take another path for a block of many. */
enum { LONG = 5000, PROPORTION = 64 };

static char mixture[LONG * 8], mixture_expected[LONG * 8], result[LONG * 8];

static void prepare_mixture(const subject *s, unsigned rare)
{
    uint64_t words[FEW_WORDS];
    few_words(s->f, words);
    for (size_t i = 0; i < LONG; i++) {
        const double ordinary = (double)(random_word() % 5001) / 1000 - 2.5;
        const uint64_t word = random_word() % PROPORTION < rare ? words[random_word() % FEW_WORDS]
                                                                : value_word(s->f, ordinary);
        set_word(s->f, mixture, i, word);
        set_word(s->f, mixture_expected, i, result_of(s, word));
    }
}

static void every_mixture(const subject *s)
{
    static const unsigned proportions[] = {0, 1, 8, 32, 60, PROPORTION};
    static const size_t lengths[] = {1000, 1023, 1024, 1025, 2055, LONG};
    for (size_t p = 0; p < COUNT(proportions); p++) {
        prepare_mixture(s, proportions[p]);
        for (size_t l = 0; l < COUNT(lengths); l++) {
            const size_t bytes = lengths[l] * s->f.size;
            s->kernel(mixture, result, lengths[l]);
            CHECK(memcmp(result, mixture_expected, bytes) == 0, "%u/%d rare, n %zu", proportions[p],
                  PROPORTION, lengths[l]);
            memcpy(result, mixture, bytes);
            s->kernel(result, result, lengths[l]);
            CHECK(memcmp(result, mixture_expected, bytes) == 0, "%u/%d rare, n %zu, in place",
                  proportions[p], PROPORTION, lengths[l]);
        }
    }
}

int main(void)
{
    in = guarded_page();
    out = guarded_page();
    for_each_kernel("memory and position", every_alignment);
    for_each_kernel("mixtures", every_mixture);
    return finish();
}
