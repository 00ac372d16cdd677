/* Numbers to twice the precision of float64: the unevaluated sum high + low. */
#ifndef GELU_PAIR_H
#define GELU_PAIR_H

typedef struct {
    vf64 high, low;
} pair_f64;

/* a + b exactly, for |a| >= |b|. */
GELU_INLINE pair_f64 fast_two_sum_f64(vf64 a, vf64 b)
{
    vf64 sum = f64_add(a, b);
    return (pair_f64){sum, f64_sub(b, f64_sub(sum, a))};
}

/* a + b exactly. */
GELU_INLINE pair_f64 two_sum_f64(vf64 a, vf64 b)
{
    vf64 sum = f64_add(a, b), b_part = f64_sub(sum, a), a_part = f64_sub(sum, b_part);
    return (pair_f64){sum, f64_add(f64_sub(a, a_part), f64_sub(b, b_part))};
}

GELU_INLINE pair_f64 difference_f64(pair_f64 a, pair_f64 b)
{
    pair_f64 sum = two_sum_f64(a.high, f64_sub(f64_set(0.0), b.high));
    return (pair_f64){sum.high, f64_add(sum.low, f64_sub(a.low, b.low))};
}

/* a b, b a number of one part. */
GELU_INLINE pair_f64 multiple_f64(pair_f64 a, vf64 b)
{
    vf64 low, high = f64_two_prod(a.high, b, &low);
    return (pair_f64){high, f64_fma(a.low, b, low)};
}

GELU_INLINE pair_f64 product_f64(pair_f64 a, pair_f64 b)
{
    pair_f64 p = multiple_f64(a, b.high);
    return (pair_f64){p.high, f64_fma(a.high, b.low, p.low)};
}

GELU_INLINE vf64 rounded_f64(pair_f64 a) { return f64_add(a.high, a.low); }

/* a/b, rounded about once: the remainder of the rounded quotient is exact but for the low parts. */
GELU_INLINE vf64 quotient_f64(pair_f64 a, pair_f64 b)
{
    vf64 q = f64_div(a.high, b.high);
    vf64 low, high = f64_two_prod(q, b.high, &low);
    vf64 rest = f64_add(f64_sub(f64_sub(a.high, high), low), f64_fnma(q, b.low, a.low));
    return f64_add(q, f64_div(rest, b.high));
}

#endif
