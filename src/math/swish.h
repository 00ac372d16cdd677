/* swish(x, beta) = x sigma(beta x) = silu(beta x)/beta, from silu(v), v being beta x rounded.

   Let beta x = v + l, s = silu(v), sigma = s/v. Then silu(v + l) = s + c to twice the precision, with
   c = s l (1/v + 1 - sigma), and for q = x sigma, which is rounded several times,

     swish = q + (s - q beta + c)/beta,    1/beta = x/v,

   where s - q beta is known exactly: one rounding beside the error of s. */
#ifndef GELU_SWISH_H
#define GELU_SWISH_H

/* |x|, |beta| < 2^900, and v is neither tiny nor huge (see below); else any number or NaN. */
#define DEFINE_SWISH_CORE(w)                                                                       \
    GELU_INLINE vf##w swish_core_f##w(vf##w x, vf##w beta, vf##w s)                                \
    {                                                                                              \
        const vf##w one = f##w##_set(1);                                                           \
        vf##w low, rest, product = f##w##_two_prod(x, beta, &low), v = ROUND_##w(product);         \
        vf##w inverse = f##w##_div(one, v), sigma = f##w##_mul(s, inverse);                        \
        vf##w q = f##w##_mul(x, sigma), back = f##w##_two_prod(q, beta, &rest);                    \
        vf##w l = f##w##_add(f##w##_sub(product, v), low);                                         \
        vf##w slope = f##w##_add(inverse, f##w##_sub(one, sigma));                                 \
        vf##w c = f##w##_mul(s, f##w##_mul(l, slope));                                             \
        vf##w r = f##w##_add(f##w##_sub(f##w##_sub(s, back), rest), c);                            \
        return f##w##_add(q, f##w##_mul(f##w##_mul(r, inverse), x));                               \
    }

/* The core's result where it is right. Below `tiny` sigma is 1/2 to working precision, so that an
   infinite beta times 0 belongs there, as 0 times an infinite x does; beyond `huge` it is 1 or 0. */
#define DEFINE_SWISH_ENDS(w, tiny, huge)                                                           \
    GELU_INLINE vf##w swish_ends_f##w(vf##w x, vf##w beta, vf##w core)                             \
    {                                                                                              \
        const vi##w sign = i##w##_set(SIGN_BIT_##w);                                               \
        vf##w v = ROUND_##w(f##w##_mul(x, beta));                                                  \
        vf##w magnitude = i##w##_float(i##w##_andnot(sign, f##w##_bits(v)));                       \
        vf##w signed_zero = i##w##_float(i##w##_and(sign, f##w##_bits(x)));                        \
        vm##w numbers = m##w##_and(f##w##_eq(x, x), f##w##_eq(beta, beta));                        \
        vf##w half = f##w##_select(numbers, f##w##_mul(f##w##_set(0.5), x), v);                    \
        vf##w end = f##w##_select(f##w##_lt(f##w##_set(0), v), x, signed_zero);                    \
        vf##w y = f##w##_select(f##w##_lt(magnitude, f##w##_set(huge)), core, end);                \
        return f##w##_select(f##w##_lt(f##w##_set(tiny), magnitude), y, half);                     \
    }

#define ROUND_32 f32_round
#define ROUND_64 /* float64 is computed in float64 */

DEFINE_SWISH_CORE(32)
DEFINE_SWISH_CORE(64)
DEFINE_SWISH_ENDS(32, 0x1p-30f, 104.0f) /* e^-104 < 2^-150 */
DEFINE_SWISH_ENDS(64, 0x1p-60, 746.0)   /* e^-746 < 2^-1075 */

GELU_INLINE vf32 swish_f32(vf32 x, vf32 beta, vf32 s)
{
    return swish_ends_f32(x, beta, swish_core_f32(x, beta, s));
}

/* A huge factor is made smaller, and the other one larger, by a power of two: exact, and
   f64_two_prod takes them. */
GELU_INLINE vf64 swish_f64(vf64 x, vf64 beta, vf64 s)
{
    const vi64 sign = i64_set(SIGN_BIT_64);
    const vf64 one = f64_set(1), limit = f64_set(0x1p900);
    vm64 x_is_small = f64_lt(i64_float(i64_andnot(sign, f64_bits(x))), limit);
    vm64 beta_is_small = f64_lt(i64_float(i64_andnot(sign, f64_bits(beta))), limit);
    vf64 down = f64_select(x_is_small, one, f64_set(0x1p-200));
    vf64 up = f64_select(x_is_small, one, f64_set(0x1p200));
    down = f64_select(beta_is_small, down, f64_set(0x1p200));
    up = f64_select(beta_is_small, up, f64_set(0x1p-200));
    vf64 core = swish_core_f64(f64_mul(x, down), f64_mul(beta, up), s);
    return swish_ends_f64(x, beta, f64_mul(core, up));
}

#endif
