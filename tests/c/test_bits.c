/* The same bits on every level with fused multiply-add. */
#include "subjects.h"

static _Alignas(64) char in[SWEEP_BLOCK * 8], first[sizeof in], other[sizeof in];

static int takes_part(int level)
{
    return gelu_level_is_available(level) && gelu_level_at(level)->has_fma;
}

static void compare(const subject *a, const subject *b, size_t block)
{
    sweep_block(a->f, block, in);
    gelu_select_level(a->level);
    a->kernel(in, first, SWEEP_BLOCK);
    gelu_select_level(b->level);
    b->kernel(in, other, SWEEP_BLOCK);
    for (size_t i = 0; i < SWEEP_BLOCK; i++) {
        const uint64_t x = get_word(a->f, first, i), y = get_word(a->f, other, i);
        CHECK(x == y || (is_nan(a->f, x) && is_nan(a->f, y)), "input %#llx: %#llx and %#llx",
              (unsigned long long)get_word(a->f, in, i), (unsigned long long)x,
              (unsigned long long)y);
    }
}

static void compare_levels(int reference, int level)
{
    for (int function = 0; function < GELU_FUNCTION_COUNT; function++)
        for (int dtype = 0; dtype < GELU_DTYPE_COUNT; dtype++) {
            const subject a = subject_of(reference, function, dtype);
            const subject b = subject_of(level, function, dtype);
            begin("same bits %s and %s %s %s", level_name(reference), level_name(level),
                  function_name(function), dtype_name(dtype));
            for (size_t block = 0; block < sweep_blocks(a.f); block++)
                compare(&a, &b, block);
            end();
        }
}

int main(void)
{
    int reference = -1, compared = 0;
    for (int level = 0; level < gelu_level_count(); level++) {
        if (!takes_part(level)) {
            begin("same bits %s", level_name(level));
            if (can_run(level))
                skip("without fused multiply-add a level has bits of its own");
        } else if (reference < 0) {
            reference = level;
        } else {
            compare_levels(reference, level);
            compared++;
        }
    }
    if (!compared) {
        begin("same bits");
        skip("there are no two levels to compare");
    }
    return finish();
}
