/* The checks of one lane width, included by test_vocabulary.c once for each, with W (32 or 64) and that
   width's MIN_SCALE and MIN_SCALED defined. */
#include "simd/width.h"

#define INFINITE (SIGN_BIT - ((WORD)1 << FRACTION_BITS))
#define QUIET_NAN (INFINITE | (WORD)1 << (FRACTION_BITS - 1))

static _Alignas(64) WORD AT(a)[POOL], AT(b)[POOL], AT(c)[POOL], AT(out)[POOL];
static size_t AT(filled);

static NUMBER AT(to_number)(WORD word)
{
    NUMBER number;
    memcpy(&number, &word, sizeof number);
    return number;
}

static WORD AT(to_word)(NUMBER number)
{
    WORD word;
    memcpy(&word, &number, sizeof word);
    return word;
}

static int AT(is_nan)(WORD word) { return (word & ~SIGN_BIT) > INFINITE; }

/* Signalling NaNs are made quiet: they may raise INVALID, and no operation promises anything. */
static void AT(put)(WORD a, WORD b, WORD c)
{
    const size_t n = AT(filled)++;
    AT(a)[n] = AT(is_nan)(a) ? a | QUIET_NAN : a;
    AT(b)[n] = AT(is_nan)(b) ? b | QUIET_NAN : b;
    AT(c)[n] = AT(is_nan)(c) ? c | QUIET_NAN : c;
}

/* A random fraction and sign, with an exponent from `low` on, `count` of them. */
static WORD AT(between)(int low, unsigned count)
{
    const WORD random = (WORD)random_word();
    const WORD exponent = BIAS + (WORD)low + (WORD)(random_word() % count);
    return (random & ~INFINITE) | exponent << FRACTION_BITS;
}

/* (1 + steps units) 2^exponent */
static WORD AT(power)(int exponent, int steps)
{
    return ((BIAS + (WORD)exponent) << FRACTION_BITS) + (WORD)steps;
}

static void AT(put_special)(void)
{
    static WORD special[26];
    const WORD positive[] = {0,
                             1,
                             2,
                             ((WORD)1 << FRACTION_BITS) - 1,
                             (WORD)1 << FRACTION_BITS,
                             AT(power)(-1, 0),
                             AT(power)(0, 0),
                             AT(power)(0, 1),
                             AT(power)(0, -1),
                             AT(power)(FRACTION_BITS, 1),
                             INFINITE - 1,
                             INFINITE,
                             QUIET_NAN | 5};
    for (size_t i = 0; i < 26; i++)
        special[i] = positive[i / 2] | (i & 1 ? SIGN_BIT : 0);
    for (size_t i = 0; i < 26 * 26 * 26; i++)
        AT(put)(special[i % 26], special[i / 26 % 26], special[i / 26 / 26]);
}

/* Where a multiply-add that rounds twice, or to the wrong place, gives itself away. */
static void AT(put_hard_products)(void)
{
    for (size_t i = 0; i < POOL_PART; i++) {
        const int near = (int)(random_word() % 7) - 3, beside = (int)(random_word() % 7) - 3;
        const WORD a = AT(between)(-3, 6), b = AT(between)(-3, 6), c = AT(between)(-2, 4);
        /* c = -ab but for a few units: the sum is what rounding would have thrown away */
        const WORD ab = AT(to_word)(AT(to_number)(a) * AT(to_number)(b));
        AT(put)(a, b, (ab ^ SIGN_BIT) + (WORD)near);
        /* ab within a few units of half a unit of c: the sum lies next to a tie */
        const int unit = (int)((c & INFINITE) >> FRACTION_BITS) - (int)BIAS - FRACTION_BITS;
        AT(put)(AT(power)(unit - 1, near) | (b & SIGN_BIT), AT(power)(0, beside), c);
        /* the same with c subnormal, or nothing: near half of the smallest subnormal number */
        const int smallest = 1 - (int)BIAS - FRACTION_BITS, half = smallest / 2;
        const WORD tiny = i % 4 ? c >> (FRACTION_BITS / 2 + i % 16) & ~(INFINITE | SIGN_BIT) : 0;
        AT(put)(AT(power)(half, near) | (a & SIGN_BIT), AT(power)(smallest - 1 - half, beside),
                tiny);
        /* a product of many bits, subnormal or nearly so */
        const int split = (int)(random_word() % (W - 2));
        AT(put)(AT(between)(half + split - 12, 8), AT(between)(half - split + 12, FRACTION_BITS),
                tiny | (c & SIGN_BIT));
        /* around the largest number */
        AT(put)(AT(power)((int)BIAS - 20, near), AT(power)(20, beside) | (a & SIGN_BIT), c);
        AT(put)(AT(between)((int)BIAS - 20, 1), AT(between)(20, 1), AT(between)((int)BIAS - 1, 2));
    }
}

static void AT(fill)(void)
{
    AT(filled) = 0;
    AT(put_special)();
    AT(put_hard_products)();
    while (AT(filled) < POOL - 4 * POOL_PART)
        AT(put)(AT(between)(-6, 12), AT(between)(-6, 12), AT(between)(-9, 18));
    while (AT(filled) < POOL) {
        const WORD c = (WORD)random_word(), b = (WORD)random_word();
        AT(put)((WORD)random_word(), c & 1 << 9 ? b : AT(a)[AT(filled) - 1], c);
    }
}

/* The third column of vocabulary.h, for the lane at hand. */
#define FMA(x, y, z) AT(level_fma)(x, y, z)
#define FMA_ONCE(x, y, z) AT(fma_once)(x, y, z)
#define SCALE(x, n) AT(libm_scale)(x, n)
#define C_NUMBER(i) AT(to_number)(AT(c)[i])
#define PLAIN(type, name, expression)                                                              \
    static WORD AT(plain_##name)(size_t lane, unsigned k)                                          \
    {                                                                                              \
        const WORD i = AT(a)[lane], j = AT(b)[lane], first = AT(a)[0];                             \
        const NUMBER a = AT(to_number)(i), b = AT(to_number)(j), c = AT(to_number)(AT(c)[lane]);   \
        const int m = (AT(c)[lane] & SIGN_BIT) != 0, o = (j & SIGN_BIT) != 0;                      \
        (void)a, (void)b, (void)c, (void)m, (void)o, (void)k, (void)first;                         \
        return type(expression);                                                                   \
    }
#define PLAIN_NUMBER(name, vocabulary, expression) PLAIN(AT(to_word), name, expression)
#define PLAIN_BITS(name, vocabulary, expression) PLAIN((WORD), name, expression)
EXPAND(ARITHMETIC, PLAIN_NUMBER, W)
EXPAND(AT(NUMBERS_), PLAIN_NUMBER, W)
EXPAND(ON_BITS, PLAIN_BITS, W)
EXPAND(AT(BITS_), PLAIN_BITS, W)
EXPAND(CONDITIONS, PLAIN_BITS, W)
EXPAND(IN_DOMAIN, PLAIN_NUMBER, W)

typedef struct {
    const char *name;
    int id;
    WORD (*plain)(size_t lane, unsigned k);
} AT(row);

#define ROW(name, ...) {#name, OP_##name, AT(plain_##name)},
static const AT(row) AT(arithmetic)[] = {EXPAND(ARITHMETIC, ROW, W) EXPAND(AT(NUMBERS_), ROW, W)};
static const AT(row) AT(on_bits)[] = {EXPAND(ON_BITS, ROW, W) EXPAND(AT(BITS_), ROW, W)};
static const AT(row) AT(conditions)[] = {EXPAND(CONDITIONS, ROW, W)};
static const AT(row) AT(in_domain)[] = {EXPAND(IN_DOMAIN, ROW, W)};

/* The flags raised, of those that C knows: some systems have more in FE_ALL_EXCEPT. */
static int AT(run)(const vocabulary *v, int id, size_t n, unsigned k)
{
    const operands all = {AT(a), AT(b), AT(c), AT(out), n, k};
    feclearexcept(FE_ALL_EXCEPT);
    AT(v->width).run[id](&all);
    return fetestexcept(LOUD | FE_INEXACT);
}

static void AT(compare)(const AT(row) * row, size_t n, unsigned k)
{
    for (size_t lane = 0; lane < n; lane++) {
        const WORD expected = row->plain(lane, k), got = AT(out)[lane];
        CHECK(got == expected || (AT(is_nan)(got) && AT(is_nan)(expected)),
              "%s(%#llx, %#llx, %#llx), k %u: %#llx, expected %#llx", row->name,
              (unsigned long long)AT(a)[lane], (unsigned long long)AT(b)[lane],
              (unsigned long long)AT(c)[lane], k, (unsigned long long)got,
              (unsigned long long)expected);
    }
}

static void AT(check)(const vocabulary *v, const AT(row) * row, size_t n, unsigned k, int allowed)
{
    const int flags = AT(run)(v, row->id, n, k);
    CHECK((flags & ~allowed) == 0, "%s raises %#x", row->name, (unsigned)flags);
    AT(compare)(row, n, k);
}

static void AT(check_arithmetic)(const vocabulary *v)
{
    AT(fill)();
    for (size_t r = 0; r < COUNT(AT(arithmetic)); r++)
        AT(check)(v, &AT(arithmetic)[r], POOL, 0, FE_ALL_EXCEPT);
}

static void AT(check_nan_arithmetic)(const vocabulary *v)
{
    const WORD one = AT(power)(0, 0);
    AT(filled) = 0;
    while (AT(filled) < 1024) {
        const WORD nan = QUIET_NAN | (WORD)random_word();
        const size_t where = AT(filled) % 3;
        AT(put)(where == 0 ? nan : one, where == 1 ? nan : one, where == 2 ? nan : one);
    }
    for (size_t r = 0; r < COUNT(AT(arithmetic)); r++)
        AT(check)(v, &AT(arithmetic)[r], 1024, 0, FE_INEXACT);
}

static void AT(check_bits)(const vocabulary *v)
{
    AT(fill)();
    for (size_t r = 0; r < COUNT(AT(on_bits)); r++)
        for (unsigned k = 0; k < W; k++)
            AT(check)(v, &AT(on_bits)[r], k == 1 ? POOL : 4096, k, 0);
}

static void AT(check_conditions)(const vocabulary *v)
{
    AT(fill)();
    for (size_t r = 0; r < COUNT(AT(conditions)); r++)
        AT(check)(v, &AT(conditions)[r], POOL, 0, 0);
}

/* Products far from overflow and with an exact rest. */
static void AT(check_products)(const vocabulary *v)
{
    const int range = (int)BIAS * 5 / 16;
    AT(filled) = 0;
    while (AT(filled) < POOL)
        if (AT(filled) % 8)
            AT(put)(AT(between)(-range, 2 * (unsigned)range),
                    AT(between)(-range, 2 * (unsigned)range), 0);
        else /* up to the largest factor that Dekker's splitting takes */
            AT(put)(AT(between)((int)BIAS - 43, 10), AT(between)(-(int)BIAS / 2, 20), 0);
    AT(a)[5] = AT(b)[6] = 0, AT(b)[7] = SIGN_BIT;
    for (size_t i = 0; i < POOL; i++)
        AT(c)[i] = AT(to_word)(AT(to_number)(AT(a)[i]) * AT(to_number)(AT(b)[i]));
    for (size_t r = 0; r < 2; r++)
        AT(check)(v, &AT(in_domain)[r], POOL, 0, FE_INEXACT);
}

/* Every second one scaled into the subnormal numbers or next to them; low zeros make ties. */
static void AT(check_scale)(const vocabulary *v)
{
    const int smallest = 1 - (int)BIAS - FRACTION_BITS, least = ilogb(MIN_SCALED);
    AT(filled) = 0;
    while (AT(filled) < POOL) {
        int exponent = least + (int)(random_word() % (unsigned)(24 - least));
        const int target = smallest - 3 + (int)(random_word() % (FRACTION_BITS + 6));
        int n = AT(filled) & 1 ? target - exponent : -(int)(random_word() % (1 - MIN_SCALE));
        if (n < MIN_SCALE || n > 0)
            n = AT(filled) & 2 ? MIN_SCALE : 0;
        if (W == 64 && AT(filled) % 4 == 3) /* large, but small when scaled */
            n = -500, exponent = least + (int)(random_word() % (unsigned)(442 - least));
        const WORD zeros = ((WORD)1 << random_word() % (FRACTION_BITS + 1)) - 1;
        AT(put)(AT(between)(exponent, 1) & ~zeros, AT(to_word)((NUMBER)n), 0);
    }
    AT(a)[1] = 0, AT(a)[3] = SIGN_BIT; /* 0 stays 0 */
    AT(check)(v, &AT(in_domain)[2], POOL, 0, FE_INEXACT);
}

/* All of 1 - BIAS <= n <= 0. */
static void AT(check_pow2)(const vocabulary *v)
{
    AT(filled) = 0;
    while (AT(filled) < 2048)
        AT(put)(0, AT(to_word)(-(NUMBER)(AT(filled) % BIAS)), 0);
    AT(check)(v, &AT(in_domain)[3], 2048, 0, FE_INEXACT);
}

/* a is finite: elsewhere than under the mask some levels add a * 0. */
static void AT(check_fma_if)(const vocabulary *v)
{
    AT(fill)();
    for (size_t i = 0; i < POOL; i++)
        if ((AT(a)[i] & ~SIGN_BIT) >= INFINITE)
            AT(a)[i] = AT(power)(0, (int)(i % 64));
    AT(check)(v, &AT(in_domain)[4], POOL, 0, FE_ALL_EXCEPT);
}

/* The lanes' numbers, and all masks in turn as the signs of c. */
static void AT(put_masks)(size_t lanes, size_t first, size_t count)
{
    AT(filled) = 0;
    for (size_t mask = first; mask < first + count; mask++)
        for (size_t lane = 0; lane < lanes; lane++)
            AT(put)(mask * 32 + lane, mask * 32 + lane + 16, mask >> lane & 1 ? SIGN_BIT : 0);
}

static void AT(check_masks)(const vocabulary *v)
{
    const size_t lanes = AT(v->width).lanes, masks = (size_t)1 << lanes;
    for (size_t mask = 0; mask < masks; mask++) {
        AT(put_masks)(lanes, mask, 1);
        CHECK(AT(v->width).mask_lanes(AT(c)) == mask, "mask %#zx", mask);
        CHECK(!AT(v->width).mask_all(AT(c)) == (mask != masks - 1), "mask %#zx", mask);
    }
}

/* At both ends of a guarded page. */
static void AT(check_partial_at)(const vocabulary *v, WORD *at, size_t n)
{
    const size_t lanes = AT(v->width).lanes;
    WORD lane[MOST_LANES];
    for (size_t i = 0; i < MOST_LANES; i++)
        lane[i] = (WORD)random_word();
    memset(page.start, 0x5a, (size_t)(page.end - page.start));
    AT(v->width).store_partial(at, lane, n);
    CHECK(memcmp(at, lane, n * sizeof *at) == 0, "store of %zu", n);
    for (const char *byte = page.start; byte < page.end; byte++)
        CHECK(*byte == 0x5a || (byte >= (char *)at && byte < (char *)(at + n)),
              "store of %zu touches byte %td beyond it", n, byte - (char *)at);
    AT(v->width).load_partial(at, n, lane);
    for (size_t i = 0; i < lanes; i++)
        CHECK(lane[i] == (i < n ? at[i] : AT(power)(0, 0)), "load of %zu, lane %zu", n, i);
}

static void AT(check_partial)(const vocabulary *v)
{
    for (size_t n = 1; n < AT(v->width).lanes; n++) {
        AT(check_partial_at)(v, (WORD *)page.start, n);
        AT(check_partial_at)(v, (WORD *)page.end - n, n);
    }
}

static void AT(check_width)(const vocabulary *v)
{
    GROUP(arithmetic);
    GROUP(nan_arithmetic);
    GROUP(bits);
    GROUP(conditions);
    GROUP(products);
    GROUP(scale);
    GROUP(pow2);
    GROUP(fma_if);
    GROUP(masks);
    begin("partial %s, %d bits", v->name, W);
    if (AT(v->width).lanes == 1) {
        skip("one lane has no part");
        return;
    }
    AT(check_partial)(v);
    end();
}

#undef INFINITE
#undef QUIET_NAN
#undef MIN_SCALE
#undef MIN_SCALED

#include "simd/end_width.h"
