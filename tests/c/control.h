/* The control bits of floating-point arithmetic (rounding, flush-to-zero, traps), where they are known. */
#ifndef CONTROL_H
#define CONTROL_H

#include <stdint.h>

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

#endif
