/* Every operation of the vocabulary on every level, lane by lane, against plain C and libm. */
#include "guard.h"
#include "simd/simd.h"
#include "vocabularies.h"

enum { POOL = 1 << 18, POOL_PART = 1 << 14 };

#define EXPAND(macro, ...) macro(__VA_ARGS__)
#define GROUP(group)                                                                               \
    do {                                                                                           \
        begin(#group " %s, %d bits", v->name, W);                                                  \
        AT(check_##group)(v);                                                                      \
        end();                                                                                     \
    } while (0)

static guarded page;

static uint32_t table_word(uint32_t i)
{
    static const uint32_t words[16] = {WORD_TABLE};
    return words[i];
}

static float table_number(uint32_t i)
{
    static const uint32_t words[16] = {NUMBER_TABLE};
    float number;
    memcpy(&number, &words[i], sizeof number);
    return number;
}

/* fma, rounded once. That of musl is no reference for results that underflow: it rounds them twice, in
   float, and loses the sign of zeros, in double. Here the product is exact in double, and the sum is
   rounded to odd there, so that it can be rounded once more. */
static float fma_once32(float a, float b, float c)
{
    const double product = (double)a * b;
    double sum = product + c;
    const double back = sum - product, error = (product - (sum - back)) + (c - back);
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    if (isfinite(sum) && error != 0 && (bits & 1) == 0) {
        bits += (error > 0) == (sum > 0) ? UINT64_C(1) : UINT64_MAX;
        memcpy(&sum, &bits, sizeof sum);
    }
    return (float)sum;
}
static double fma_once64(double a, double b, double c)
{
    return c == 0 && a != 0 && b != 0 ? a * b : fma(a, b, c);
}

/* What a level's fma means: without hardware fma, double and two roundings. */
static int level_has_fma;
static float level_fma32(float a, float b, float c)
{
    return level_has_fma ? fma_once32(a, b, c) : (float)((double)a * b + c);
}
static double level_fma64(double a, double b, double c)
{
    return level_has_fma ? fma_once64(a, b, c) : a * b + c;
}

/* Exact in double: then rounded once. */
static float libm_scale32(float v, float n) { return (float)ldexp(v, (int)n); }
static double libm_scale64(double v, double n) { return ldexp(v, (int)n); }

#define W 32
#define MIN_SCALE F32_MIN_SCALE
#define MIN_SCALED F32_MIN_SCALED
#include "vocabulary_checks.h"

#define W 64
#define MIN_SCALE F64_MIN_SCALE
#define MIN_SCALED F64_MIN_SCALED
#include "vocabulary_checks.h"

static void check_level(const vocabulary *v)
{
    level_has_fma = v->has_fma;
    begin("as the library says %s", v->name);
    CHECK(v->has_fma == gelu_level_at(gelu_find_level(v->name))->has_fma, "has_fma %d", v->has_fma);
    CHECK(v->width32.lanes <= MOST_LANES, "%zu lanes", v->width32.lanes);
    end();
    check_width32(v);
    check_width64(v);
}

int main(void)
{
    page = guarded_page();
    for_each_vocabulary("vocabulary", check_level);
    return finish();
}
