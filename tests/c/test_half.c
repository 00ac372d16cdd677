/* float16 and bfloat16 over all 65,536 numbers, against correctly rounded results: half_hashes.h has
   their hashes, which tests/half_hashes.py computes in arbitrary precision. */
#include "recorded.h"

static const recorded_hash recorded[] = {
#include "half_hashes.h"
};

enum { NUMBERS = 1 << 16 };

static void correctly_rounded(const subject *s)
{
    static uint16_t block[NUMBERS];
    uint64_t hash = HASH_OF_NOTHING;
    for (unsigned i = 0; i < NUMBERS; i++)
        block[i] = (uint16_t)i;
    s->kernel(block, block, NUMBERS);
    for (unsigned i = 0; i < NUMBERS; i++)
        hash = hash_word(s->f, hash, block[i]);
    const uint64_t right = find_hash(recorded, COUNT(recorded), s);
    CHECK(hash == right, "%#llx, right %#llx", (unsigned long long)hash, (unsigned long long)right);
}

/* What fills a table may be a call under another rounding mode. */
static void whatever_the_rounding_mode(const subject *s)
{
    static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    for (size_t i = 0; i < COUNT(modes); i++) {
        gelu_select_level(s->level); /* empties the tables */
        fesetround(modes[i]);
        correctly_rounded(s);
        CHECK(fegetround() == modes[i], "rounding mode %d became %d", modes[i], fegetround());
        fesetround(FE_TONEAREST);
    }
}

/* Flags of the table's filling are not those of the call. */
static void quiet_at_first(const subject *s)
{
    _Alignas(8) char memory[8];
    gelu_select_level(s->level);
    set_word(s->f, memory, 0, s->f.one);
    feclearexcept(FE_ALL_EXCEPT);
    s->kernel(memory, memory, 1);
    CHECK(fetestexcept(LOUD) == 0, "flags %#x", (unsigned)fetestexcept(LOUD));
}

int main(void)
{
    for_each_half_kernel("all numbers", correctly_rounded);
    for_each_half_kernel("whatever the rounding mode", whatever_the_rounding_mode);
    for_each_half_kernel("quiet at first", quiet_at_first);
    return finish();
}
