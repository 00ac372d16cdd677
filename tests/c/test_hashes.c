/* The bits of every function on fixed inputs, against those recorded in hashes.h: the same on all
   levels with FMA and on every processor, x86-64 and AArch64. They change only with a release that
   says so; `test_hashes --print > hashes.h` records new ones.

   `test_hashes DTYPE COUNT LEVEL [FUNCTION…]` prints the hashes of so many inputs, to be compared with
   another level's. */
#include <stdlib.h>

#include "recorded.h"

static const recorded_hash recorded[] = {
#include "hashes.h"
};

enum { INPUTS = 1 << 18, BLOCK = 1024 };

/* SplitMix64: a word for every index. */
static uint64_t mixed(uint64_t i)
{
    i = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    i = (i ^ i >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    i = (i ^ i >> 27) * UINT64_C(0x94d049bb133111eb);
    return i ^ i >> 31;
}

/* In turns any bit pattern and a number in [-16, 16). */
static uint64_t input_word(format f, size_t i)
{
    const uint64_t word = mixed(i);
    const uint64_t pattern = quieted(f, word & (f.sign | (f.sign - 1)));
    return i & 1 ? pattern : value_word(f, (double)(int64_t)word * 0x1p-59);
}

static uint64_t hash_of(const subject *s, size_t count)
{
    _Alignas(64) static char block[BLOCK * 8];
    uint64_t hash = HASH_OF_NOTHING;
    for (size_t first = 0; first < count; first += BLOCK) {
        for (size_t i = 0; i < BLOCK; i++)
            set_word(s->f, block, i, input_word(s->f, first + i));
        s->kernel(block, block, BLOCK);
        for (size_t i = 0; i < BLOCK; i++)
            hash = hash_word(s->f, hash, get_word(s->f, block, i));
    }
    return hash;
}

static void check_hash(const subject *s)
{
    const uint64_t hash = hash_of(s, INPUTS), right = find_hash(recorded, COUNT(recorded), s);
    CHECK(hash == right, "%#llx, on record %#llx", (unsigned long long)hash,
          (unsigned long long)right);
}

static void check_level(int level)
{
    for (int function = 0; function < GELU_FUNCTION_COUNT; function++)
        for (int dtype = 0; dtype < GELU_DTYPE_COUNT; dtype++) {
            const subject s = subject_of(level, function, dtype);
            begin("hash %s %s %s", level_name(level), function_name(function), dtype_name(dtype));
            if (!can_run(level))
                continue;
            if (gelu_level_at(level)->has_fma) {
                check_hash(&s);
                end();
            } else {
                skip("without fused multiply-add a level has bits of its own");
            }
        }
}

static void print_hashes(void)
{
    printf(
        "/* Written by test_hashes --print: function, dtype, hash. */\n/* clang-format off */\n");
    for (int function = 0; function < GELU_FUNCTION_COUNT; function++)
        for (int dtype = 0; dtype < GELU_DTYPE_COUNT; dtype++) {
            const subject s = subject_of(gelu_best_level(), function, dtype);
            printf("{\"%s\", \"%s\", UINT64_C(0x%llx)},\n", function_name(function),
                   dtype_name(dtype), (unsigned long long)hash_of(&s, INPUTS));
        }
}

static int number_of_dtype(const char *name)
{
    for (int dtype = 0; dtype < GELU_DTYPE_COUNT; dtype++)
        if (strcmp(dtype_name(dtype), name) == 0)
            return dtype;
    return -1;
}

static int print_many(const char *dtype_of_all, size_t inputs, const char *level_of_all, int count,
                      char **names)
{
    const int dtype = number_of_dtype(dtype_of_all), level = gelu_find_level(level_of_all);
    if (dtype < 0 || !gelu_level_is_available(level) || inputs % BLOCK) {
        fprintf(stderr, "test_hashes DTYPE COUNT LEVEL [FUNCTION...], COUNT in %ds\n", BLOCK);
        return 2;
    }
    for (int function = 0; function < GELU_FUNCTION_COUNT; function++) {
        const subject s = subject_of(level, function, dtype);
        if (is_chosen(function, count, names))
            printf("%s %s %zu %016llx\n", function_name(function), dtype_of_all, inputs,
                   (unsigned long long)hash_of(&s, inputs));
    }
    return 0;
}

int main(int count, char **arguments)
{
    if (count > 3)
        return print_many(arguments[1], strtoull(arguments[2], NULL, 0), arguments[3], count - 4,
                          arguments + 4);
    if (count > 1 && strcmp(arguments[1], "--print") == 0) {
        print_hashes();
        return 0;
    }
    for (int level = 0; level < gelu_level_count(); level++)
        check_level(level);
    return finish();
}
