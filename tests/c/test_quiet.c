/* Kernels raise no flag but INEXACT, leave rounding mode and flush-to-zero as they were, and give the same
   whatever the rounding mode. The guard in loops.c would hide a noisy kernel from Python: hence this test. */
#include "control.h"
#include "subjects.h"

static _Alignas(64) char in[(MANY_WORDS + 64) * 8], out[sizeof in];

static unsigned flags_of(const subject *s, const void *input, size_t n)
{
    feclearexcept(FE_ALL_EXCEPT);
    s->kernel(input, out, n);
    return (unsigned)fetestexcept(LOUD);
}

/* The first input that raises a flag by itself. */
static uint64_t culprit(const subject *s, const char *input, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (flags_of(s, input + i * s->f.size, 1))
            return get_word(s->f, input, i);
    return 0;
}

static void check_quiet(const subject *s, const char *input, size_t n)
{
    const unsigned flags = flags_of(s, input, n);
    CHECK(flags == 0, "flags %#x, n %zu, input %#llx or one beside it", flags, n,
          (unsigned long long)culprit(s, input, n));
}

/* Every special number, in every lane. */
static void every_lane(const subject *s)
{
    static uint64_t words[MANY_WORDS];
    const size_t n = many_words(s->f, words);
    for (size_t i = 0; i < n + 64; i++)
        set_word(s->f, in, i, words[i % n]);
    for (size_t offset = 0; offset < 64; offset++)
        check_quiet(s, in + offset * s->f.size, n);
}

/* Every length; a number everywhere, and alone among ordinary ones in every place of the rest. */
static void every_length(const subject *s)
{
    uint64_t words[FEW_WORDS];
    few_words(s->f, words);
    for (size_t w = 0; w < FEW_WORDS; w++) {
        for (size_t i = 0; i < 130; i++)
            set_word(s->f, in, i, words[w]);
        for (size_t n = 1; n <= 130; n++)
            check_quiet(s, in, n);
        for (size_t i = 0; i < 130; i++)
            set_word(s->f, in, i, s->f.one);
        for (size_t at = 0; at < 34; at++) {
            set_word(s->f, in, at, words[w]);
            for (size_t n = at + 1; n <= 34; n++)
                check_quiet(s, in, n);
            set_word(s->f, in, at, s->f.one);
        }
    }
}

static void sweep(const subject *s)
{
    for (size_t block = 0; block < sweep_blocks(s->f); block++) {
        sweep_block(s->f, block, in);
        check_quiet(s, in, SWEEP_BLOCK);
    }
}

static void control_bits(const subject *s)
{
    static uint64_t words[MANY_WORDS];
    const size_t n = many_words(s->f, words);
    for (size_t i = 0; i < MANY_WORDS; i++)
        set_word(s->f, in, i, words[i % n]);
    check_control(s->kernel, in, out, MANY_WORDS, 0, FE_TONEAREST);
    /* Roundings that may lead beyond a table's end: the sanitized build would tell. */
    check_control(s->kernel, in, out, MANY_WORDS, 0, FE_UPWARD);
    check_control(s->kernel, in, out, MANY_WORDS, 0, FE_DOWNWARD);
    check_control(s->kernel, in, out, MANY_WORDS, 0, FE_TOWARDZERO);
    check_control(s->kernel, in, out, MANY_WORDS, flush_to_zero, FE_TONEAREST);
}

/* AVX-512's arithmetic has a rounding of its own; the other levels must not give what it does not. */
static void rounding_modes(const subject *s)
{
    static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    static char nearest[sizeof out];
    static uint64_t words[MANY_WORDS];
    const size_t n = many_words(s->f, words);
    for (size_t i = 0; i < MANY_WORDS; i++)
        set_word(s->f, in, i, words[i % n]);
    s->kernel(in, nearest, MANY_WORDS);
    for (int k = 0; k < 3; k++) {
        fesetround(modes[k]);
        s->kernel(in, out, MANY_WORDS);
        fesetround(FE_TONEAREST);
        for (size_t i = 0; i < MANY_WORDS; i++)
            CHECK(get_word(s->f, out, i) == get_word(s->f, nearest, i), "mode %d, input %#llx",
                  modes[k], (unsigned long long)get_word(s->f, in, i));
    }
}

int main(void)
{
    for_each_kernel("quiet in every lane", every_lane);
    for_each_kernel("quiet at every length", every_length);
    for_each_kernel("quiet over a sweep", sweep);
    for_each_kernel("the same in every rounding mode", rounding_modes);
    if (HAVE_CONTROL) {
        for_each_kernel("control bits kept", control_bits);
    } else {
        begin("control bits kept");
        skip("how to read them on this CPU is not known here");
    }
    return finish();
}
