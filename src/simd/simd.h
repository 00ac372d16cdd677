/* The SIMD vocabulary: the same names, order and meaning on every level, so that the mathematics is
   written once. Each level's header defines, for 32-bit lanes (and likewise 64 for 32):

     types        vf32 numbers, vi32 their bits (unsigned), vm32 a mask; F32_LANES lanes each
     memory       f32_load, f32_store; f32_load_partial (the lanes beyond n hold 1, an ordinary number
                  for every function), f32_store_partial; 0 < n < F32_LANES. No alignment is needed.
     constants    f32_set, i32_set
     bits         f32_bits, i32_float; i32_and, _or, _xor, _andnot (~a & b), _add, _sub, _shl, _shr
                  (logical), _umin, _umax
     comparisons  i32_eq, i32_gt (signed); f32_eq, f32_lt: quiet, false if an operand is NaN
     masks        m32_and, m32_or, m32_all; m32_lanes (bit i: lane i);
                  i32_select, f32_select (m ? a : b), f32_keep (m ? a : +0)
     arithmetic   f32_add, _sub, _mul, _div; f32_fma (ab + c), f32_fms (ab - c), f32_fnma (c - ab)
                  f32_fma_if(m, a, b, c) (m ? ab + c : c; a finite, c not -0), f32_sub_if(m, a, b)
                  (m ? a - b : b)
                  f32_round: see below (f64_round does nothing)
                  f32_two_prod: the rounded product, and the exact rest in *lo
                  f32_scale(v, n): v 2^n, rounded once, and quiet even where that is subnormal;
                  n integral, F32_MIN_SCALE <= n <= 0; v = 0 or F32_MIN_SCALED <= |v| < 2^24; in
                  64-bit lanes |v| may be larger, where |v| 2^n < 2^-58
                  f32_pow2(n): 2^n, n integral, -126 <= n <= 0
     lookup       f32_lookup(table, i): entry (i mod 16) of an f32_table, which F32_TABLE initialises
                  from 16 words, normal numbers or 0; i32_lookup: its bits (32-bit lanes only)
                  f32_lookup_near, i32_lookup_near: the same for (i mod 16) < F32_NEAR_ENTRIES (8, or
                  16 where a whole table costs no more than half of one)
     rows         i64_store_low: the lower halves of the lanes, as uint32_t;
                  f64_row_pair(row, k, &second): each lane's row of numbers begins at
                  row.base[row.offset[lane]]; its numbers 2k and 2k + 1 (64-bit lanes only)

   SIMD_HAS_FMA is 1 if f32_fma and f64_fma round once, in hardware. Without it float32 is computed in
   double, and f64_fma rounds twice: mathematics that needs the exact rest of a product asks for
   f64_two_prod, and mathematics that relies on a result being rounded to float32 (adding
   TO_INTEGER_32) for f32_round, which elsewhere does nothing.

   SIMD_IS_SILENT is 1 if no arithmetic raises any flag, and all of it rounds to nearest, whatever the
   rounding mode: then lanes whose results are not used may hold anything.

   For operands as above no operation raises a floating-point flag but INEXACT (a signalling NaN
   raises INVALID wherever it is taken for a number). */
#ifndef GELU_SIMD_H
#define GELU_SIMD_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../compiler.h"
#include "../macros.h"

typedef struct {
    const double *base;
    const uint32_t *offset;
} vrow64;

typedef float number32;
typedef double number64;

#define SIGN_BIT_32 UINT32_C(0x80000000)
#define SIGN_BIT_64 UINT64_C(0x8000000000000000)
enum { FRACTION_BITS_32 = 23, FRACTION_BITS_64 = 52, BIAS_32 = 127, BIAS_64 = 1023 };

/* Adding this rounds a number to an integer n, |n| < 2^22 (2^51); the sum's low bits are those of n. */
#define TO_INTEGER_32 0x1.8p23f
#define TO_INTEGER_64 0x1.8p52

#define F32_MIN_SCALE (-200)
#define F64_MIN_SCALE (-1290)
#define F32_MIN_SCALED 0x1p-60f
#define F64_MIN_SCALED 0x1p-800

#endif
