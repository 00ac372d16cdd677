/* What finish.h defines for both widths. */
#include "../simd/width.h"

GELU_INLINE VI AT(magnitude_f)(VF x) { return I (and)(F(bits)(x), I(set)(~SIGN_BIT)); }

/* Positive floats are ordered as their bits are: no comparison raises a flag, NaN is above infinity. */
GELU_INLINE VF AT(clamp_f)(VI magnitude, NUMBER low, NUMBER high)
{
    VI raised = I(umax)(magnitude, F(bits)(F(set)(low)));
    return I(float)(I(umin)(raised, F(bits)(F(set)(high))));
}
/* low <= x <= high. */
GELU_INLINE VM AT(within_f)(VI magnitude, NUMBER low, NUMBER high)
{
    if (!SIMD_IS_SILENT)
        return I(eq)(F(bits)(AT(clamp_f)(magnitude, low, high)), magnitude);
    const VI top = I(set)(SIGN_BIT); /* an unsigned comparison made of the signed one */
    VI first = F(bits)(F(set)(low)), count = I(sub)(F(bits)(F(set)(high)), first);
    VI rank = I(sub)(magnitude, I(add)(first, top));
    return I(gt)(I(add)(count, I(add)(top, I(set)(1))), rank);
}

/* For arithmetic whose result counts only where low <= x <= high: x there, and nowhere a number that
   would raise a flag. */
GELU_INLINE VF AT(calm_f)(VI magnitude, NUMBER low, NUMBER high)
{
    return SIMD_IS_SILENT ? I(float)(magnitude) : AT(clamp_f)(magnitude, low, high);
}

GELU_INLINE VM AT(above_f)(VI magnitude, NUMBER limit)
{
    return I(gt)(magnitude, F(bits)(F(set)(limit)));
}

/* x for x > 0, else -0, whose bits are SIGN_BIT: those of x > 0 are below, those of x < 0 above. */
GELU_INLINE VF AT(relu_f)(VF x) { return I(float)(I(umin)(F(bits)(x), I(set)(SIGN_BIT))); }

GELU_INLINE VF AT(value_f)(VF x, VF h) { return F(sub)(AT(relu_f)(x), h); }

GELU_INLINE VF AT(derivative_f)(VF x, VF h)
{
    VM positive = I(gt)(F(bits)(x), I(set)(~(WORD)0));
    return F(sub_if)(positive, F(set)(1), h);
}

GELU_INLINE VF AT(odd_f)(VF x, VF h)
{
    return I(float)(I(or)(F(bits)(h), I (and)(F(bits)(x), I(set)(SIGN_BIT))));
}

/* x/2 for |x| < TINY. A subnormal result is a count of the smallest number: half way between two, the
   exact f(x) = x/2 + (positive) x^2 lies above. In integers, since x/2 would raise UNDERFLOW. */
GELU_INLINE VF AT(half_f)(VF x)
{
    VI bits = F(bits)(x), magnitude = AT(magnitude_f)(x), sign = I(xor)(bits, magnitude);
    VI up = I(xor)(I(shr)(bits, W - 1), I(set)(1));
    VI subnormal = I(shr)(I(add)(magnitude, up), 1);
    VI normal = I(sub)(magnitude, I(set)((WORD)1 << FRACTION_BITS));
    VM is_normal = I(gt)(magnitude, I(set)(((WORD)2 << FRACTION_BITS) - 1));
    return I(float)(I(or)(I(select)(is_normal, normal, subnormal), sign));
}

/* For a NaN: itself, made quiet. Adding 0 raises INVALID for a signalling one alone. */
GELU_INLINE VF AT(quiet_nan_f)(VF x) { return F(add)(x, F(set)(0)); }

/* f in the lanes that are not ordinary; tail(a) is h for low <= a <= high, and 0 at high. */
typedef VF AT(tail_f)(VF a);

GELU_INLINE VF AT(special_value_f)(VF x, AT(tail_f) * tail, NUMBER low, NUMBER high)
{
    VI magnitude = AT(magnitude_f)(x);
    VM nan = AT(above_f)(magnitude, INFINITY);
    VM tiny = I(gt)(F(bits)(F(set)(AT(TINY_F))), magnitude);
    if (M(all)(tiny))
        return AT(half_f)(x);
    VF y = AT(value_f)(x, tail(AT(clamp_f)(magnitude, low, high)));
    if (M(lanes)(M(or)(nan, tiny)))
        y = F(select)(nan, AT(quiet_nan_f)(x), F(select)(tiny, AT(half_f)(x), y));
    return y;
}
GELU_INLINE VF AT(special_derivative_f)(VF x, AT(tail_f) * tail, NUMBER low, NUMBER high)
{
    VI magnitude = AT(magnitude_f)(x);
    VM nan = AT(above_f)(magnitude, INFINITY);
    VF y = AT(derivative_f)(x, tail(AT(clamp_f)(magnitude, low, high)));
    return F(select)(nan, AT(quiet_nan_f)(x), y);
}
/* What is not ordinary here is NaN or below TINY, where the "tail" of an odd function is. */
GELU_INLINE VF AT(special_odd_f)(VF x, AT(tail_f) * tail, NUMBER low, NUMBER high)
{
    (void)low;
    VI magnitude = AT(magnitude_f)(x);
    VF y = AT(odd_f)(x, tail(AT(clamp_f)(magnitude, 0, high)));
    return F(select)(AT(above_f)(magnitude, INFINITY), AT(quiet_nan_f)(x), y);
}

#include "../simd/end_width.h"
