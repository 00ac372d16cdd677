/* The status flags of floating-point exceptions, and the rounding mode.

   Kernels raise no flag, and C tests hold them to that. Whoever calls one makes sure all the same: it
   reads the flags before and after, and clears those raised in between. Reading is fast; clearing, which
   is slow, is hardly ever needed.

   Kernels round to nearest, or their tables would be read in the wrong place. A caller's other mode is
   set aside while they run. */
#ifndef GELU_FPSTATUS_H
#define GELU_FPSTATUS_H

#include "compiler.h"

/* INVALID, DIVBYZERO, OVERFLOW, UNDERFLOW: what NumPy reports. Not INEXACT. */

#if defined(__SSE2__) || defined(_M_X64)

#include <xmmintrin.h>

enum { GELU_FP_FLAGS = 0x1d, GELU_FP_UNDERFLOW = 0x10 }; /* MXCSR: IE, ZE, OE, UE */

GELU_INLINE unsigned gelu_fp_flags(void) { return _mm_getcsr() & GELU_FP_FLAGS; }

GELU_INLINE void gelu_fp_clear(unsigned flags) { _mm_setcsr(_mm_getcsr() & ~flags); }

enum { GELU_FP_ROUNDING = 0x6000, GELU_FP_NEAREST = 0 };

GELU_INLINE unsigned gelu_fp_rounding(void) { return _mm_getcsr() & GELU_FP_ROUNDING; }

GELU_INLINE void gelu_fp_set_rounding(unsigned mode)
{
    _mm_setcsr((_mm_getcsr() & ~(unsigned)GELU_FP_ROUNDING) | mode);
}

#elif defined(GELU_HAVE_FPSR)

enum { GELU_FP_FLAGS = 0x0f, GELU_FP_UNDERFLOW = 0x08 }; /* FPSR: IOC, DZC, OFC, UFC */

GELU_INLINE unsigned gelu_fp_flags(void) { return (unsigned)gelu_read_fpsr() & GELU_FP_FLAGS; }

GELU_INLINE void gelu_fp_clear(unsigned flags)
{
    gelu_write_fpsr(gelu_read_fpsr() & ~(uint64_t)flags);
}

enum { GELU_FP_ROUNDING = 0xc00000, GELU_FP_NEAREST = 0 };

GELU_INLINE unsigned gelu_fp_rounding(void)
{
    return (unsigned)gelu_read_fpcr() & GELU_FP_ROUNDING;
}

GELU_INLINE void gelu_fp_set_rounding(unsigned mode)
{
    gelu_write_fpcr((gelu_read_fpcr() & ~(uint64_t)GELU_FP_ROUNDING) | mode);
}

#else

#include <fenv.h>

/* WebAssembly has no flags, and leaves these names out. */
#ifndef FE_UNDERFLOW
#define FE_INVALID 0
#define FE_DIVBYZERO 0
#define FE_OVERFLOW 0
#define FE_UNDERFLOW 0
#endif

enum { GELU_FP_UNDERFLOW = FE_UNDERFLOW, GELU_FP_NEAREST = FE_TONEAREST };

GELU_INLINE unsigned gelu_fp_flags(void)
{
    return (unsigned)fetestexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW | FE_UNDERFLOW);
}

GELU_INLINE void gelu_fp_clear(unsigned flags) { feclearexcept((int)flags); }

GELU_INLINE unsigned gelu_fp_rounding(void) { return (unsigned)fegetround(); }

GELU_INLINE void gelu_fp_set_rounding(unsigned mode) { fesetround((int)mode); }

#endif

/* Clears what has been raised since gelu_fp_flags() gave `before`. */
GELU_INLINE void gelu_fp_restore(unsigned before)
{
    const unsigned raised = gelu_fp_flags() & ~before;
    if (GELU_UNLIKELY(raised))
        gelu_fp_clear(raised);
}

/* Returns the caller's mode, for gelu_fp_round_again(). */
GELU_INLINE unsigned gelu_fp_round_to_nearest(void)
{
    const unsigned mode = gelu_fp_rounding();
    if (GELU_UNLIKELY(mode != GELU_FP_NEAREST))
        gelu_fp_set_rounding(GELU_FP_NEAREST);
    return mode;
}

GELU_INLINE void gelu_fp_round_again(unsigned mode)
{
    if (GELU_UNLIKELY(mode != GELU_FP_NEAREST))
        gelu_fp_set_rounding(mode);
}

#endif
