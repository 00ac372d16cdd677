/* What derived.h defines for both widths. */
#include "width.h"

#ifndef SIMD_HAS_QUIET_COMPARE
/* An ordered comparison raises INVALID for a quiet NaN, equality does not: NaN lanes become 0 first. */
GELU_INLINE VM F(ordered)(VF a, VF b) { return M (and)(F(eq)(a, a), F(eq)(b, b)); }
GELU_INLINE VM F(lt)(VF a, VF b)
{
    VM ordered = F(ordered)(a, b);
    return M (and)(ordered, F(lt_signalling)(F(keep)(ordered, a), F(keep)(ordered, b)));
}
#endif

/* n in the exponent's bits. */
GELU_INLINE VI AT(exponent_f)(VF n)
{
    return I(shl)(F(bits)(F(add)(n, F(set)(TO_INTEGER))), FRACTION_BITS);
}

GELU_INLINE VF F(pow2)(VF n) { return I(float)(I(add)(AT(exponent_f)(n), F(bits)(F(set)(1)))); }

#ifndef SIMD_HAS_SCALE
/* v 2^n where that may be subnormal. A hardware multiplication would raise UNDERFLOW and, on many
   processors, take a hundred cycles. Instead |v| 2^n is counted in units of the smallest subnormal
   number, and rounded to integer by adding 2^FRACTION_BITS: that integer is the result's bit pattern.
   The factor is limited, for v that cannot become subnormal. */
GELU_INLINE VF F(scale_to_subnormal)(VF v, VF n)
{
    const WORD smallest = BIAS + FRACTION_BITS - 1, limit = AT(LARGEST_UNIT_FACTOR_);
    const VI sign = I(set)(SIGN_BIT), power = F(bits)(F(set)((NUMBER)((WORD)1 << FRACTION_BITS)));
    VI to_units = I(add)(AT(exponent_f)(n), I(set)((smallest + BIAS) << FRACTION_BITS));
    to_units = I(umin)(to_units, I(set)((limit + BIAS) << FRACTION_BITS));
    VF magnitude = I(float)(I(andnot)(sign, F(bits)(v)));
    VI units = I(umin)(F(bits)(F(mul)(magnitude, I(float)(to_units))), power);
    VI count = I(sub)(F(bits)(F(add)(I(float)(units), I(float)(power))), power);
    VI subnormal = I(or)(count, I (and)(sign, F(bits)(v)));
    VI normal = I(add)(F(bits)(v), AT(exponent_f)(n));
    return I(float)(I(select)(I(gt)(power, units), subnormal, normal));
}
GELU_INLINE VF F(scale)(VF v, VF n)
{
    const VI largest_subnormal = I(set)(((WORD)1 << FRACTION_BITS) - 1);
    VI bits = I(add)(F(bits)(v), AT(exponent_f)(n));
    VI magnitude = I(add)(I (and)(F(bits)(v), I(set)(~SIGN_BIT)), AT(exponent_f)(n));
    if (GELU_UNLIKELY(!M(all)(I(gt)(magnitude, largest_subnormal))))
        return F(scale_to_subnormal)(v, n);
    return I(float)(bits);
}
#endif

#ifndef SIMD_HAS_ARITHMETIC_IF
GELU_INLINE VF F(fma_if)(VM m, VF a, VF b, VF c) { return F(fma)(a, F(keep)(m, b), c); }
GELU_INLINE VF F(sub_if)(VM m, VF a, VF b) { return F(select)(m, F(sub)(a, b), b); }
#endif

/* Where float32 is computed in double the rest of a product of two floats is 0. */
#if W == 32 || SIMD_HAS_FMA
GELU_INLINE VF F(two_prod)(VF a, VF b, VF *lo)
{
    VF hi = F(mul)(a, b);
    *lo = F(fms)(a, b, hi);
    return hi;
}
#endif

#include "end_width.h"
