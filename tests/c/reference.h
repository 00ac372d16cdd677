/* The functions in long double, of 64 or more significant bits: enough to judge results of 53. Plain
   definitions by erfcl and expl. What goes into them is carried as a sum high + low, for the tails
   multiply its error by up to a thousand. Slow, and unrelated to the kernels' methods. */
#ifndef REFERENCE_H
#define REFERENCE_H

#include <float.h>
#include <math.h>
#include <string.h>

#include "macros.h"

typedef struct {
    long double high, low;
} pair;

/* A double and the rest, so that both parts are exact enough whatever long double is. */
static const pair sqrt_half = {0x1.6a09e667f3bcdp-1,
                               -4.833646656726456518593584429912793221341e-17L};
static const pair inv_sqrt_2pi = {0x1.9884533d43651p-2,
                                  -2.492327202277730078644138151165733096733e-17L};
static const pair sqrt_8_over_pi = {0x1.9884533d43651p+0,
                                    -9.969308809110920314576552604662932386934e-17L};
static const pair cubic_factor = {0x1.6e4e26d4801f7p-5,
                                  2.196021142708559636957943439483642578125e-18L}; /* 0.044715 */
static const pair sigmoid_scale = {0x1.b3b645a1cac08p+0,
                                   4.26325641456060111522674560546875e-17L}; /* 1.702 */

static inline pair times(pair a, pair b)
{
    const long double high = a.high * b.high;
    return (pair){high, fmal(a.high, b.high, -high) + a.high * b.low + a.low * b.high};
}

static inline pair times_number(pair a, long double b) { return times(a, (pair){b, 0}); }

static inline pair one_plus(pair a)
{
    const long double high = 1 + a.high, part = high - 1;
    return (pair){high, (1 - (high - part)) + (a.high - part) + a.low};
}

static inline long double exp_minus(pair v) { return expl(-v.high) * (1 - v.low); }

/* phi(x) = exp(-x^2/2)/sqrt(2 pi) */
static inline long double density(double x)
{
    const long double factor = inv_sqrt_2pi.high + inv_sqrt_2pi.low;
    return factor * exp_minus(times_number((pair){x * 0.5L, 0}, x));
}

/* Phi(x) = erfc(z)/2 with z = -x/sqrt 2; d/dz of that is -exp(-z^2)/sqrt pi. */
static inline long double distribution(double x)
{
    const pair z = times_number(sqrt_half, -(long double)x);
    return 0.5L * erfcl(z.high) - z.low * density(x) / sqrt_half.high;
}

static inline long double reference_gelu(double x) { return x * distribution(x); }

static inline long double reference_gelu_grad(double x) { return distribution(x) + x * density(x); }

/* v = 2u = sqrt(8/pi) x (1 + 0.044715 x^2) */
static inline pair tanh_argument(double x)
{
    const pair square = times_number((pair){x, 0}, x);
    return times(times_number(sqrt_8_over_pi, x), one_plus(times(square, cubic_factor)));
}

static inline long double sigmoid(pair v)
{
    const int negative = v.high < 0;
    const long double e = exp_minus(negative ? (pair){-v.high, -v.low} : v);
    return (negative ? e : 1) / (1 + e);
}

static inline long double reference_gelu_tanh(double x) { return x * sigmoid(tanh_argument(x)); }

static inline long double reference_gelu_tanh_grad(double x)
{
    const pair v = tanh_argument(x), minus_v = {-v.high, -v.low};
    const long double k = sqrt_8_over_pi.high + sqrt_8_over_pi.low;
    const long double slope = k * (1 + 3 * (cubic_factor.high + cubic_factor.low) * x * x);
    return sigmoid(v) * (1 + x * slope * sigmoid(minus_v));
}

static inline pair sigmoid_argument(double x) { return times_number(sigmoid_scale, x); }

static inline long double reference_gelu_sigmoid(double x)
{
    return x * sigmoid(sigmoid_argument(x));
}

/* s + v s (1 - s) */
static inline long double logistic_derivative(pair v)
{
    return sigmoid(v) * (1 + (v.high + v.low) * sigmoid((pair){-v.high, -v.low}));
}

static inline long double reference_gelu_sigmoid_grad(double x)
{
    return logistic_derivative(sigmoid_argument(x));
}

static inline long double reference_silu(double x) { return x * sigmoid((pair){x, 0}); }

static inline long double reference_silu_grad(double x)
{
    return logistic_derivative((pair){x, 0});
}

static inline long double reference_erf(double x) { return erfl(x); }

static const struct {
    const char *name;
    long double (*value)(double);
    double zero; /* of a derivative */
} references[] = {
    {"gelu", reference_gelu, NAN},
    {"gelu_grad", reference_gelu_grad, -0.75179152469356446},
    {"gelu_tanh", reference_gelu_tanh, NAN},
    {"gelu_tanh_grad", reference_gelu_tanh_grad, -0.75246142207101626},
    {"gelu_sigmoid", reference_gelu_sigmoid, NAN},
    {"gelu_sigmoid_grad", reference_gelu_sigmoid_grad, -0.75115425544128895},
    {"silu", reference_silu, NAN},
    {"silu_grad", reference_silu_grad, -1.2784645427610738},
    {"erf", reference_erf, NAN},
};

/* A function's row, or -1. */
static inline int find_reference(const char *name)
{
    for (int i = 0; i < (int)COUNT(references); i++)
        if (strcmp(references[i].name, name) == 0)
            return i;
    return -1;
}

#endif
