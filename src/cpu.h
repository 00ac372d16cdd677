/* Which SIMD levels this CPU and its operating system can run. */
#ifndef GELU_CPU_H
#define GELU_CPU_H

#include <stdint.h>

/* One bit per level: everything that level's compile flags (meson.build) ask of the CPU. */
enum gelu_cpu_feature {
    GELU_CPU_AVX2 = 1,   /* AVX2, FMA; YMM registers saved by the system */
    GELU_CPU_AVX512 = 2, /* and AVX-512 F, BW, DQ, VL; ZMM and mask registers saved */
    GELU_CPU_NEON = 4    /* Advanced SIMD of AArch64 */
};

/* The register values from which x86 features follow. */
typedef struct {
    uint32_t max_leaf;  /* CPUID leaf 0, EAX */
    uint32_t leaf1_ecx; /* CPUID leaf 1, ECX */
    uint32_t leaf7_ebx; /* CPUID leaf 7, subleaf 0, EBX; read only where max_leaf >= 7 */
    uint64_t xcr0;      /* read only where leaf1_ecx has OSXSAVE, for XGETBV faults without it */
} gelu_x86_registers;

/* Pure functions of register values, so that tests can make up any CPU. */
unsigned gelu_x86_features(const gelu_x86_registers *registers);
unsigned gelu_aarch64_features(unsigned long hwcap);

/* The features of the machine that runs this. */
unsigned gelu_cpu_features(void);

#endif
