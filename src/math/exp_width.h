/* What exp.h defines for both widths. */
#include "../simd/width.h"

/* The polynomial with these coefficients by rising power: even and odd powers by Horner's rule each, two
   chains that a processor runs side by side. t^2 must not underflow. */
GELU_INLINE VF AT(polynomial_f)(VF t, const NUMBER *coefficient, int count)
{
    VF square = F(mul)(t, t), last = F(set)(coefficient[count - 1]);
    VF other = F(set)(coefficient[count - 2]);
    for (int k = count - 3; k >= 0; k--) {
        VF next = F(fma)(last, square, F(set)(coefficient[k]));
        last = other, other = next;
    }
    return F(fma)(last, t, other);
}

/* exp(-z) = (u + g) 2^n, g small beside u, n integral. */
typedef struct {
    VF u, g, n;
} AT(exp_f);

/* z = r + rest - n ln 2. The high part of ln 2 has so few bits that r is exact. u = 1 - r is rounded;
   what it lost is in g, with the rest of the series. */
GELU_INLINE AT(exp_f) AT(exp_minus_f)(VF hi, VF lo)
{
    const VF to_integer = F(set)(TO_INTEGER), one = F(set)(1);
    VF n = F(sub)(F(round)(F(fma)(hi, F(set)(-AT(LOG2_E_F)), to_integer)), to_integer);
    VF r = F(fma)(n, F(set)(AT(LN2_HIGH_F)), hi);
    VF rest = F(fma)(n, F(set)(AT(LN2_LOW_F)), lo);
    VF u = F(sub)(one, r);
    VF q = AT(polynomial_f)(r, AT(EXP_F), COUNT(AT(EXP_F)));
    VF g = F(fma)(F(mul)(r, r), q, F(sub)(F(sub)(one, u), r));
    g = F(fnma)(rest, F(add)(u, g), g);
    return (AT(exp_f)){u, g, n};
}

#include "../simd/end_width.h"
