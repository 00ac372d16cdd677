/* What swish.h defines for both widths. */
#include "../simd/width.h"

/* |x|, |beta| < 2^900, and v is neither tiny nor huge (see below); else any number or NaN. */
GELU_INLINE VF AT(swish_core_f)(VF x, VF beta, VF s)
{
    const VF one = F(set)(1);
    VF low, rest, product = F(two_prod)(x, beta, &low), v = F(round)(product);
    VF inverse = F(div)(one, v), sigma = F(mul)(s, inverse);
    VF q = F(mul)(x, sigma), back = F(two_prod)(q, beta, &rest);
    VF l = F(add)(F(sub)(product, v), low);
    VF slope = F(add)(inverse, F(sub)(one, sigma));
    VF c = F(mul)(s, F(mul)(l, slope));
    VF r = F(add)(F(sub)(F(sub)(s, back), rest), c);
    return F(add)(q, F(mul)(F(mul)(r, inverse), x));
}

/* The core's result where it is right. Below SWISH_TINY sigma is 1/2 to working precision, so that an
   infinite beta times 0 belongs there, as 0 times an infinite x does; beyond SWISH_HUGE it is 1 or 0. */
GELU_INLINE VF AT(swish_ends_f)(VF x, VF beta, VF core)
{
    const VI sign = I(set)(SIGN_BIT);
    VF v = F(round)(F(mul)(x, beta));
    VF magnitude = I(float)(I(andnot)(sign, F(bits)(v)));
    VF signed_zero = I(float)(I (and)(sign, F(bits)(x)));
    VM numbers = M (and)(F(eq)(x, x), F(eq)(beta, beta));
    VF half = F(select)(numbers, F(mul)(F(set)(0.5), x), v);
    VF end = F(select)(F(lt)(F(set)(0), v), x, signed_zero);
    VF y = F(select)(F(lt)(magnitude, F(set)(AT(SWISH_HUGE_F))), core, end);
    return F(select)(F(lt)(F(set)(AT(SWISH_TINY_F)), magnitude), y, half);
}

#include "../simd/end_width.h"
