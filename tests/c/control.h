/* The control bits of floating-point arithmetic (rounding, flush-to-zero, traps), where they are known,
   and that a call keeps them. */
#ifndef CONTROL_H
#define CONTROL_H

#include <fenv.h>
#include <stdint.h>

#include "check.h"
#include "internal.h"

#if defined(__SSE2__)
#include <xmmintrin.h>
enum { HAVE_CONTROL = 1 };
static inline uint64_t control(void) { return _mm_getcsr() & ~0x3fu; }
static inline void set_control(uint64_t value) { _mm_setcsr((unsigned)value); }
static const uint64_t flush_to_zero = 0x8040;
#elif defined(__aarch64__)
enum { HAVE_CONTROL = 1 };
static inline uint64_t control(void)
{
    uint64_t value;
    __asm__ volatile("mrs %0, fpcr" : "=r"(value));
    return value;
}
static inline void set_control(uint64_t value) { __asm__ volatile("msr fpcr, %0" : : "r"(value)); }
static const uint64_t flush_to_zero = 1 << 24;
#else
enum { HAVE_CONTROL = 0 };
static inline uint64_t control(void) { return 0; }
static inline void set_control(uint64_t value) { (void)value; }
static const uint64_t flush_to_zero = 0;
#endif

/* The caller's rounding, and flush-to-zero where it is wanted, stay, also where a call fills a table. */
static inline void check_control(gelu_kernel *call, const void *x, void *y, size_t n,
                                 uint64_t wanted, int rounding)
{
    const uint64_t normal = control();
    fesetround(rounding);
    set_control(control() | wanted);
    const uint64_t before = control();
    call(x, y, n);
    const uint64_t after = control();
    set_control(normal);
    fesetround(FE_TONEAREST);
    CHECK(before == after, "control bits %#llx, then %#llx", (unsigned long long)before,
          (unsigned long long)after);
    CHECK(!wanted || before != normal, "flush-to-zero could not be set");
}

#endif
