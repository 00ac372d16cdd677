/* Reading and clearing the status flags of floating-point exceptions. Control bits (rounding
   mode, flush-to-zero, traps) are left as they are.

   Kernels raise no flag, and C tests hold them to that. Whoever calls one makes sure all the same: it
   reads the flags before and after, and clears those raised in between. Reading is fast; clearing, which
   is slow, is hardly ever needed. */
#ifndef GELU_FPSTATUS_H
#define GELU_FPSTATUS_H

#include "compiler.h"

/* INVALID, DIVBYZERO, OVERFLOW, UNDERFLOW: what NumPy reports. Not INEXACT. */

#if defined(__SSE2__) || defined(_M_X64)

#include <xmmintrin.h>

enum { GELU_FP_FLAGS = 0x1d, GELU_FP_UNDERFLOW = 0x10 }; /* MXCSR: IE, ZE, OE, UE */

GELU_INLINE unsigned gelu_fp_flags(void) { return _mm_getcsr() & GELU_FP_FLAGS; }

GELU_INLINE void gelu_fp_clear(unsigned flags) { _mm_setcsr(_mm_getcsr() & ~flags); }

#elif defined(GELU_HAVE_FPSR)

enum { GELU_FP_FLAGS = 0x0f, GELU_FP_UNDERFLOW = 0x08 }; /* FPSR: IOC, DZC, OFC, UFC */

GELU_INLINE unsigned gelu_fp_flags(void) { return (unsigned)gelu_read_fpsr() & GELU_FP_FLAGS; }

GELU_INLINE void gelu_fp_clear(unsigned flags)
{
    gelu_write_fpsr(gelu_read_fpsr() & ~(uint64_t)flags);
}

#else

#include <fenv.h>

enum { GELU_FP_UNDERFLOW = FE_UNDERFLOW };

GELU_INLINE unsigned gelu_fp_flags(void)
{
    return (unsigned)fetestexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW | FE_UNDERFLOW);
}

GELU_INLINE void gelu_fp_clear(unsigned flags) { feclearexcept((int)flags); }

#endif

/* Clears what has been raised since gelu_fp_flags() gave `before`. */
GELU_INLINE void gelu_fp_restore(unsigned before)
{
    const unsigned raised = gelu_fp_flags() & ~before;
    if (GELU_UNLIKELY(raised))
        gelu_fp_clear(raised);
}

#endif
