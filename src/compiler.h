/* Everything only GNU-like compilers accept, in one place. */
#ifndef GELU_COMPILER_H
#define GELU_COMPILER_H

#if defined(__GNUC__) || defined(__clang__)
#define GELU_INLINE static inline __attribute__((always_inline))
#define GELU_NOINLINE static __attribute__((noinline))
#define GELU_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define gelu_bit_count(bits) ((size_t)__builtin_popcount(bits))
#else
#define GELU_INLINE static inline
#define GELU_NOINLINE static
#define GELU_UNLIKELY(condition) (condition)
#endif

/* Before a loop whose output may be one of its inputs: no element depends on an earlier one, so that it
   may be vectorised. Of GCC alone: clang does not vectorise arithmetic under -ftrapping-math, and warns
   where it is asked to. */
#if defined(__GNUC__) && !defined(__clang__)
#define GELU_ELEMENTWISE _Pragma("GCC ivdep")
#else
#define GELU_ELEMENTWISE
#endif

/* GELU_CPUID(leaf, eax, ebx, ecx, edx) (subleaf 0) and GELU_XGETBV(index, low, high). */
#if (defined(__GNUC__) || defined(__clang__)) && (defined(__x86_64__) || defined(__i386__))
#include <cpuid.h>
#define GELU_CPUID(leaf, eax, ebx, ecx, edx) __cpuid_count(leaf, 0, eax, ebx, ecx, edx)
#define GELU_XGETBV(index, low, high)                                                              \
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(index))
#endif

/* The floating-point status and control registers of AArch64. */
#if (defined(__GNUC__) || defined(__clang__)) && defined(__aarch64__)
#include <stdint.h>
#define GELU_REGISTER(name)                                                                        \
    GELU_INLINE uint64_t gelu_read_##name(void)                                                    \
    {                                                                                              \
        uint64_t value;                                                                            \
        __asm__ volatile("mrs %0, " #name : "=r"(value));                                          \
        return value;                                                                              \
    }                                                                                              \
    GELU_INLINE void gelu_write_##name(uint64_t value)                                             \
    {                                                                                              \
        __asm__ volatile("msr " #name ", %0" : : "r"(value));                                      \
    }
GELU_REGISTER(fpsr)
GELU_REGISTER(fpcr)
#define GELU_HAVE_FPSR
#endif

#endif
