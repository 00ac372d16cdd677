/* Every operation of the SIMD vocabulary, stated twice: X(name, vocabulary, plain C).

   Both columns are expressions over the same variables: numbers a, b, c, the bits i, j of a, b, the
   masks m, o (lanes in which c, b have their sign bit set), a count k, and the bits `first` of the
   run's first number, which is A[0]. vocabulary_level.c takes the second column, compiled for each level;
   test_vocabulary.c the third, for one lane, compiled for any CPU. */
#ifndef VOCABULARY_H
#define VOCABULARY_H

#include <stddef.h>
#include <stdint.h>

/* Results are numbers; any NaN equals any other. */
#define ARITHMETIC(X, W)                                                                           \
    X(add, f##W##_add(a, b), a + b)                                                                \
    X(sub, f##W##_sub(a, b), a - b)                                                                \
    X(mul, f##W##_mul(a, b), a *b)                                                                 \
    X(div, f##W##_div(a, b), a / b)                                                                \
    X(fma, f##W##_fma(a, b, c), FMA(a, b, c))                                                      \
    X(fms, f##W##_fms(a, b, c), FMA(a, b, -c))                                                     \
    X(fnma, f##W##_fnma(a, b, c), FMA(-a, b, c))                                                   \
    X(sub_if, f##W##_sub_if(m, a, b), m ? a - b : b)

/* Results are bits; no flag is raised. */
#define ON_BITS(X, W)                                                                              \
    X(set, f##W##_bits(f##W##_set(A[0])), first)                                                   \
    X(integer_set, i##W##_set(first), first)                                                       \
    X(and, i##W##_and(i, j), i &j)                                                                 \
    X(or, i##W##_or(i, j), i | j)                                                                  \
    X(xor, i##W##_xor(i, j), i ^ j)                                                                \
    X(andnot, i##W##_andnot(i, j), ~i &j)                                                          \
    X(integer_add, i##W##_add(i, j), i + j)                                                        \
    X(integer_sub, i##W##_sub(i, j), i - j)                                                        \
    X(shl, i##W##_shl(i, k), i << k)                                                               \
    X(shr, i##W##_shr(i, k), i >> k)                                                               \
    X(umin, i##W##_umin(i, j), i < j ? i : j)                                                      \
    X(umax, i##W##_umax(i, j), i > j ? i : j)                                                      \
    X(integer_select, i##W##_select(m, i, j), m ? i : j)                                           \
    X(select, f##W##_bits(f##W##_select(m, a, b)), m ? i : j)                                      \
    X(keep, f##W##_bits(f##W##_keep(m, a)), m ? i : 0)

/* Results are masks; no flag is raised for quiet NaNs either. */
#define CONDITIONS(X, W)                                                                           \
    X(integer_eq, i##W##_eq(i, j), i == j)                                                         \
    X(integer_gt, i##W##_gt(i, j), (int##W##_t)i > (int##W##_t)j)                                  \
    X(eq, f##W##_eq(a, b), a == b)                                                                 \
    X(lt, f##W##_lt(a, b), isless(a, b))                                                           \
    X(mask_and, m##W##_and(m, o), m &&o)                                                           \
    X(mask_or, m##W##_or(m, o), m || o)

/* Right for some operands only, which have their own tests. Where float32 is computed in double the
   rounded product is more than a float32: only together with the rest it is known, so c, which is ab
   rounded, is taken from it. */
#define IN_DOMAIN(X, W)                                                                            \
    X(product, f##W##_two_prod(a, b, &rest), a *b)                                                 \
    X(rest, (high = f##W##_two_prod(a, b, &rest), f##W##_add(f##W##_sub(high, c), rest)),          \
      FMA_ONCE(a, b, -c))                                                                          \
    X(scale, f##W##_scale(a, b), SCALE(a, b))                                                      \
    X(pow2, f##W##_pow2(b), SCALE(1, b))                                                           \
    X(fma_if, f##W##_fma_if(m, a, b, c), m ? FMA(a, b, c) : c)

/* Of one width. f32_round makes a float32 of the sum before more is done with it, and so does the cast
   where C may compute in double. Rows start at any number of c. */
#define NUMBERS_32(X, W)                                                                           \
    X(round, f32_sub(f32_round(f32_add(a, b)), a), (float)(a + b) - a)                             \
    X(lookup, f32_lookup(&number_table, i), table_number(i % 16))                                  \
    X(lookup_near, f32_lookup_near(&number_table, i32_and(i, i32_set(7))), table_number(i % 8))
#define BITS_32(X, W)                                                                              \
    X(integer_lookup, i32_lookup(&word_table, i), table_word(i % 16))                              \
    X(integer_lookup_near, i32_lookup_near(&word_table, i32_and(i, i32_set(7))), table_word(i % 8))
#define NUMBERS_64(X, W)                                                                           \
    X(row_even, f64_row_pair(rows_at(C, i, offset), 1, &rest), C_NUMBER((i >> 50) + 2))            \
    X(row_odd, (f64_row_pair(rows_at(C, i, offset), 1, &rest), rest), C_NUMBER((i >> 50) + 3))
#define BITS_64(X, W)

#define OPERATIONS(X, W)                                                                           \
    ARITHMETIC(X, W)                                                                               \
    NUMBERS_##W(X, W) ON_BITS(X, W) BITS_##W(X, W) CONDITIONS(X, W) IN_DOMAIN(X, W)

enum operation_id {
#define X(name, ...) OP_##name,
    OPERATIONS(X, 32) NUMBERS_64(X, 64)
#undef X
        OPERATION_COUNT
};

/* Sixteen words, of which the numbers are 0 or normal, and sixteen of any kind. */
#define NUMBER_TABLE                                                                               \
    0x3f80a5c3, 0xbe12d4f7, 0x00000000, 0x80800001, 0x7f7fffff, 0x00800000, 0x42f6e979,            \
        0xc2c80001, 0x0badf00d, 0x13579bdf, 0x2468ace0, 0xdeadbeef, 0x55555555, 0xaaaaaaaa,        \
        0xff000000, 0x89abcdef
#define WORD_TABLE                                                                                 \
    0x00000001, 0xffffffff, 0x00000000, 0x80000000, 0x7f800000, 0x7fc00001, 0x7f800001,            \
        0xff800000, 0x0000ffff, 0xffff0000, 0x12345678, 0x9abcdef0, 0x80000001, 0x007fffff,        \
        0x00ff00ff, 0xdeadbeef

/* One run of an operation over n numbers, n being a multiple of every lane count. A mask comes out as
   0 or 1 in each lane's word. */
enum { MOST_LANES = 16 };

typedef struct {
    const void *a, *b, *c;
    void *out;
    size_t n;
    unsigned k;
} operands;

typedef void operation(const operands *);

/* One lane width of one level. */
typedef struct {
    size_t lanes;
    operation *run[OPERATION_COUNT];
    void (*load_partial)(const void *from, size_t n, void *lanes);
    void (*store_partial)(void *to, const void *lanes, size_t n);
    unsigned (*mask_lanes)(const void *c); /* of one mask m */
    int (*mask_all)(const void *c);
} vocabulary_width;

typedef struct {
    const char *name;
    int has_fma;
    vocabulary_width width32, width64;
} vocabulary;

#endif
