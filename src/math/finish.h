/* From h(|x|) to f(x), and the inputs that need neither table nor exponential: the same for every
   function. Values are f(x) = relu(x) - h(|x|); derivatives are D(|x|) for x < 0, else 1 - D(|x|);
   odd functions are h(|x|) with the sign of x. */
#ifndef GELU_FINISH_H
#define GELU_FINISH_H

/* Below this, f(x) is x/2 to working precision. Kernels compute on max(|x|, TINY), so that nothing in
   them underflows, and give these lanes half(x). */
#define TINY_F32 0x1p-100f
#define TINY_F64 0x1p-58

GELU_INLINE vi32 magnitude_f32(vf32 x) { return i32_and(f32_bits(x), i32_set(~SIGN_BIT_32)); }

/* Positive floats are ordered as their bits are: no comparison raises a flag, NaN is above infinity. */
GELU_INLINE vf32 clamp_f32(vi32 magnitude, float low, float high)
{
    vi32 raised = i32_umax(magnitude, f32_bits(f32_set(low)));
    return i32_float(i32_umin(raised, f32_bits(f32_set(high))));
}
/* low <= x <= high. */
GELU_INLINE vm32 within_f32(vi32 magnitude, float low, float high)
{
    if (!SIMD_IS_SILENT)
        return i32_eq(f32_bits(clamp_f32(magnitude, low, high)), magnitude);
    const vi32 top = i32_set(SIGN_BIT_32); /* an unsigned comparison made of the signed one */
    vi32 first = f32_bits(f32_set(low)), count = i32_sub(f32_bits(f32_set(high)), first);
    vi32 rank = i32_sub(magnitude, i32_add(first, top));
    return i32_gt(i32_add(count, i32_add(top, i32_set(1))), rank);
}

/* For arithmetic whose result counts only where low <= x <= high: x there, and nowhere a number that
   would raise a flag. */
GELU_INLINE vf32 calm_f32(vi32 magnitude, float low, float high)
{
    return SIMD_IS_SILENT ? i32_float(magnitude) : clamp_f32(magnitude, low, high);
}

GELU_INLINE vm32 above_f32(vi32 magnitude, float limit)
{
    return i32_gt(magnitude, f32_bits(f32_set(limit)));
}

/* x for x > 0, else -0, whose bits are SIGN_BIT_32: those of x > 0 are below, those of x < 0 above. */
GELU_INLINE vf32 relu_f32(vf32 x) { return i32_float(i32_umin(f32_bits(x), i32_set(SIGN_BIT_32))); }

GELU_INLINE vf32 value_f32(vf32 x, vf32 h) { return f32_sub(relu_f32(x), h); }

GELU_INLINE vf32 derivative_f32(vf32 x, vf32 h)
{
    vm32 positive = i32_gt(f32_bits(x), i32_set(UINT32_MAX));
    return f32_sub_if(positive, f32_set(1.0f), h);
}

GELU_INLINE vf32 odd_f32(vf32 x, vf32 h)
{
    return i32_float(i32_or(f32_bits(h), i32_and(f32_bits(x), i32_set(SIGN_BIT_32))));
}

/* x/2 for |x| < TINY. A subnormal result is a count of the smallest number: half way between two, the
   exact f(x) = x/2 + (positive) x^2 lies above. In integers, since x/2 would raise UNDERFLOW. */
GELU_INLINE vf32 half_f32(vf32 x)
{
    vi32 bits = f32_bits(x), magnitude = magnitude_f32(x), sign = i32_xor(bits, magnitude);
    vi32 up = i32_xor(i32_shr(bits, 31), i32_set(1));
    vi32 subnormal = i32_shr(i32_add(magnitude, up), 1);
    vi32 normal = i32_sub(magnitude, i32_set(1u << 23));
    vm32 is_normal = i32_gt(magnitude, i32_set(0x00ffffff));
    return i32_float(i32_or(i32_select(is_normal, normal, subnormal), sign));
}

/* For a NaN: itself, made quiet. Adding 0 raises INVALID for a signalling one alone. */
GELU_INLINE vf32 quiet_nan_f32(vf32 x) { return f32_add(x, f32_set(0.0f)); }

/* f in the lanes that are not ordinary; tail(a) is h for low <= a <= high, and 0 at high. */
typedef vf32 tail_f32(vf32 a);

GELU_INLINE vf32 special_value_f32(vf32 x, tail_f32 *tail, float low, float high)
{
    vi32 magnitude = magnitude_f32(x);
    vm32 nan = above_f32(magnitude, INFINITY);
    vm32 tiny = i32_gt(f32_bits(f32_set(TINY_F32)), magnitude);
    if (m32_all(tiny))
        return half_f32(x);
    vf32 y = value_f32(x, tail(clamp_f32(magnitude, low, high)));
    if (m32_lanes(m32_or(nan, tiny)))
        y = f32_select(nan, quiet_nan_f32(x), f32_select(tiny, half_f32(x), y));
    return y;
}
GELU_INLINE vf32 special_derivative_f32(vf32 x, tail_f32 *tail, float low, float high)
{
    vi32 magnitude = magnitude_f32(x);
    vm32 nan = above_f32(magnitude, INFINITY);
    vf32 y = derivative_f32(x, tail(clamp_f32(magnitude, low, high)));
    return f32_select(nan, quiet_nan_f32(x), y);
}
/* What is not ordinary here is NaN or below TINY, where the "tail" of an odd function is. */
GELU_INLINE vf32 special_odd_f32(vf32 x, tail_f32 *tail, float low, float high)
{
    (void)low;
    vi32 magnitude = magnitude_f32(x);
    vf32 y = odd_f32(x, tail(clamp_f32(magnitude, 0.0f, high)));
    return f32_select(above_f32(magnitude, INFINITY), quiet_nan_f32(x), y);
}

/* ---- the same for float64 */

GELU_INLINE vi64 magnitude_f64(vf64 x) { return i64_and(f64_bits(x), i64_set(~SIGN_BIT_64)); }
GELU_INLINE vf64 clamp_f64(vi64 magnitude, double low, double high)
{
    vi64 raised = i64_umax(magnitude, f64_bits(f64_set(low)));
    return i64_float(i64_umin(raised, f64_bits(f64_set(high))));
}
GELU_INLINE vm64 within_f64(vi64 magnitude, double low, double high)
{
    if (!SIMD_IS_SILENT)
        return i64_eq(f64_bits(clamp_f64(magnitude, low, high)), magnitude);
    const vi64 top = i64_set(SIGN_BIT_64);
    vi64 first = f64_bits(f64_set(low)), count = i64_sub(f64_bits(f64_set(high)), first);
    vi64 rank = i64_sub(magnitude, i64_add(first, top));
    return i64_gt(i64_add(count, i64_add(top, i64_set(1))), rank);
}
GELU_INLINE vf64 calm_f64(vi64 magnitude, double low, double high)
{
    return SIMD_IS_SILENT ? i64_float(magnitude) : clamp_f64(magnitude, low, high);
}
GELU_INLINE vm64 above_f64(vi64 magnitude, double limit)
{
    return i64_gt(magnitude, f64_bits(f64_set(limit)));
}

GELU_INLINE vf64 relu_f64(vf64 x) { return i64_float(i64_umin(f64_bits(x), i64_set(SIGN_BIT_64))); }

GELU_INLINE vf64 value_f64(vf64 x, vf64 h) { return f64_sub(relu_f64(x), h); }

GELU_INLINE vf64 derivative_f64(vf64 x, vf64 h)
{
    vm64 positive = i64_gt(f64_bits(x), i64_set(UINT64_MAX));
    return f64_sub_if(positive, f64_set(1.0), h);
}

GELU_INLINE vf64 odd_f64(vf64 x, vf64 h)
{
    return i64_float(i64_or(f64_bits(h), i64_and(f64_bits(x), i64_set(SIGN_BIT_64))));
}

GELU_INLINE vf64 half_f64(vf64 x)
{
    vi64 bits = f64_bits(x), magnitude = magnitude_f64(x), sign = i64_xor(bits, magnitude);
    vi64 up = i64_xor(i64_shr(bits, 63), i64_set(1));
    vi64 subnormal = i64_shr(i64_add(magnitude, up), 1);
    vi64 normal = i64_sub(magnitude, i64_set(UINT64_C(1) << 52));
    vm64 is_normal = i64_gt(magnitude, i64_set((UINT64_C(1) << 53) - 1));
    return i64_float(i64_or(i64_select(is_normal, normal, subnormal), sign));
}

GELU_INLINE vf64 quiet_nan_f64(vf64 x) { return f64_add(x, f64_set(0.0)); }

typedef vf64 tail_f64(vf64 a);

GELU_INLINE vf64 special_value_f64(vf64 x, tail_f64 *tail, double low, double high)
{
    vi64 magnitude = magnitude_f64(x);
    vm64 nan = above_f64(magnitude, INFINITY);
    vm64 tiny = i64_gt(f64_bits(f64_set(TINY_F64)), magnitude);
    if (m64_all(tiny))
        return half_f64(x);
    vf64 y = value_f64(x, tail(clamp_f64(magnitude, low, high)));
    if (m64_lanes(m64_or(nan, tiny)))
        y = f64_select(nan, quiet_nan_f64(x), f64_select(tiny, half_f64(x), y));
    return y;
}
GELU_INLINE vf64 special_derivative_f64(vf64 x, tail_f64 *tail, double low, double high)
{
    vi64 magnitude = magnitude_f64(x);
    vm64 nan = above_f64(magnitude, INFINITY);
    vf64 y = derivative_f64(x, tail(clamp_f64(magnitude, low, high)));
    return f64_select(nan, quiet_nan_f64(x), y);
}
/* What is not ordinary here is NaN or below TINY, where the "tail" of an odd function is. */
GELU_INLINE vf64 special_odd_f64(vf64 x, tail_f64 *tail, double low, double high)
{
    (void)low;
    vi64 magnitude = magnitude_f64(x);
    vf64 y = odd_f64(x, tail(clamp_f64(magnitude, 0.0, high)));
    return f64_select(above_f64(magnitude, INFINITY), quiet_nan_f64(x), y);
}

#endif
