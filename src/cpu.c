#include "cpu.h"

#include "compiler.h"

enum {
    LEAF1_ECX_FMA = 1 << 12,
    LEAF1_ECX_OSXSAVE = 1 << 27,
    LEAF1_ECX_AVX = 1 << 28,
    LEAF1_ECX_AVX2_LEVEL = LEAF1_ECX_FMA | LEAF1_ECX_OSXSAVE | LEAF1_ECX_AVX
};

#define LEAF7_EBX_AVX2 (1u << 5)
#define LEAF7_EBX_AVX512F (1u << 16)
#define LEAF7_EBX_AVX512DQ (1u << 17)
#define LEAF7_EBX_AVX512BW (1u << 30)
#define LEAF7_EBX_AVX512VL (1u << 31)
#define LEAF7_EBX_AVX512_LEVEL                                                                     \
    (LEAF7_EBX_AVX512F | LEAF7_EBX_AVX512DQ | LEAF7_EBX_AVX512BW | LEAF7_EBX_AVX512VL)

/* What the operating system saves on a context switch. A CPU may have AVX, and a system (or a
   hypervisor) not: then AVX instructions fault or lose their registers. */
#define XCR0_YMM 0x06u /* XMM, upper halves of YMM */
#define XCR0_ZMM 0xe6u /* and masks, upper halves of ZMM0-15, ZMM16-31 */

static int has_all(uint64_t value, uint64_t bits) { return (value & bits) == bits; }

unsigned gelu_x86_features(const gelu_x86_registers *registers)
{
    if (registers->max_leaf < 7 || !has_all(registers->leaf1_ecx, LEAF1_ECX_AVX2_LEVEL) ||
        !has_all(registers->leaf7_ebx, LEAF7_EBX_AVX2) || !has_all(registers->xcr0, XCR0_YMM))
        return 0;
    if (!has_all(registers->leaf7_ebx, LEAF7_EBX_AVX512_LEVEL) ||
        !has_all(registers->xcr0, XCR0_ZMM))
        return GELU_CPU_AVX2;
    return GELU_CPU_AVX2 | GELU_CPU_AVX512;
}

unsigned gelu_aarch64_features(unsigned long hwcap)
{
    const unsigned long hwcap_asimd = 1ul << 1; /* HWCAP_ASIMD of <asm/hwcap.h> */
    return has_all(hwcap, hwcap_asimd) ? GELU_CPU_NEON : 0;
}

#if defined(GELU_CPUID)

unsigned gelu_cpu_features(void)
{
    gelu_x86_registers registers = {0, 0, 0, 0};
    uint32_t eax, ebx, ecx, edx;
    GELU_CPUID(0, eax, ebx, ecx, edx);
    registers.max_leaf = eax;
    GELU_CPUID(1, eax, ebx, ecx, edx);
    registers.leaf1_ecx = ecx;
    if (registers.max_leaf >= 7) {
        GELU_CPUID(7, eax, ebx, ecx, edx);
        registers.leaf7_ebx = ebx;
    }
    if (registers.leaf1_ecx & LEAF1_ECX_OSXSAVE) {
        GELU_XGETBV(0, eax, edx);
        registers.xcr0 = (uint64_t)edx << 32 | eax;
    }
    return gelu_x86_features(&registers);
}

#elif defined(__aarch64__) && defined(__linux__)

#include <sys/auxv.h>

unsigned gelu_cpu_features(void) { return gelu_aarch64_features(getauxval(AT_HWCAP)); }

#elif defined(__aarch64__) || defined(_M_ARM64)

unsigned gelu_cpu_features(void)
{
    return GELU_CPU_NEON; /* macOS, Windows, the BSDs: Advanced SIMD is part of their ABI */
}

#else

unsigned gelu_cpu_features(void) { return 0; }

#endif
