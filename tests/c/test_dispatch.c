/* Detection on made-up registers, the list of levels, and the choice among them. */
#include <string.h>

#include "check.h"
#include "config.h"
#include "cpu.h"
#include "internal.h"
#include "macros.h"

/* A CPU with everything; bit numbers are those of the Intel manual, volume 2, CPUID. */
#define FMA (1u << 12)
#define OSXSAVE (1u << 27)
#define AVX (1u << 28)
#define AVX2 (1u << 5)
#define AVX512F (1u << 16)
#define AVX512DQ (1u << 17)
#define AVX512BW (1u << 30)
#define AVX512VL (1u << 31)
static const gelu_x86_registers full = {7, FMA | OSXSAVE | AVX,
                                        AVX2 | AVX512F | AVX512DQ | AVX512BW | AVX512VL, 0xe7};

static void check_features(const char *what, gelu_x86_registers registers, unsigned expected)
{
    const unsigned features = gelu_x86_features(&registers);
    CHECK(features == expected, "%s: %#x, expected %#x", what, features, expected);
}

static void check_without(const char *what, uint32_t leaf1, uint32_t leaf7, uint64_t state,
                          unsigned expected)
{
    gelu_x86_registers registers = full;
    registers.leaf1_ecx &= ~leaf1;
    registers.leaf7_ebx &= ~leaf7;
    registers.xcr0 &= ~state;
    check_features(what, registers, expected);
}

static void x86_features(void)
{
    const unsigned both = GELU_CPU_AVX2 | GELU_CPU_AVX512;
    begin("x86 features from registers");
    check_features("everything", full, both);
    check_features("all bits set", (gelu_x86_registers){~0u, ~0u, ~0u, ~UINT64_C(0)}, both);
    check_features("nothing", (gelu_x86_registers){0, 0, 0, 0}, 0);
    check_features("leaf 7 beyond the CPU's last",
                   (gelu_x86_registers){6, full.leaf1_ecx, full.leaf7_ebx, full.xcr0}, 0);
    check_without("no AVX", AVX, 0, 0, 0);
    check_without("AVX, but the system does not use XSAVE", OSXSAVE, 0, 0, 0);
    check_without("no FMA", FMA, 0, 0, 0);
    check_without("no AVX2", 0, AVX2, 0, 0);
    check_without("SSE state not saved", 0, 0, 1 << 1, 0);
    check_without("YMM state not saved", 0, 0, 1 << 2, 0);
    check_without("no AVX-512 F", 0, AVX512F, 0, GELU_CPU_AVX2);
    check_without("no AVX-512 DQ", 0, AVX512DQ, 0, GELU_CPU_AVX2);
    check_without("no AVX-512 BW", 0, AVX512BW, 0, GELU_CPU_AVX2);
    check_without("no AVX-512 VL", 0, AVX512VL, 0, GELU_CPU_AVX2);
    check_without("mask registers not saved", 0, 0, 1 << 5, GELU_CPU_AVX2);
    check_without("upper ZMM0-15 not saved", 0, 0, 1 << 6, GELU_CPU_AVX2);
    check_without("ZMM16-31 not saved", 0, 0, 1 << 7, GELU_CPU_AVX2);
    check_without("x87 state not saved, which does not matter", 0, 0, 1, both);
    end();
}

static void aarch64_features(void)
{
    begin("AArch64 features from HWCAP");
    CHECK(gelu_aarch64_features(2) == GELU_CPU_NEON, "ASIMD is bit 1");
    CHECK(gelu_aarch64_features(~0ul) == GELU_CPU_NEON, "all bits");
    CHECK(gelu_aarch64_features(~2ul) == 0, "all but ASIMD");
    end();
}

/* The compiler's own detection must agree. */
static void this_machine(void)
{
    const unsigned features = gelu_cpu_features();
    begin("features of this machine");
#if defined(__x86_64__)
    __builtin_cpu_init();
    const int avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    const int avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                       __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    CHECK(!(features & GELU_CPU_AVX2) == !avx2, "AVX2: %d, here %#x", avx2, features);
    CHECK(!(features & GELU_CPU_AVX512) == !avx512, "AVX-512: %d, here %#x", avx512, features);
    end();
#elif defined(__aarch64__)
    CHECK(features == GELU_CPU_NEON, "%#x", features);
    end();
#else
    (void)features;
    skip("no second opinion on this CPU");
#endif
}

static void level_list(void)
{
    static const unsigned needs[] = {
#define X(name, features) features,
        GELU_LEVELS(X)
#undef X
    };
    const unsigned features = gelu_cpu_features();
    begin("levels, worst first");
    CHECK(gelu_level_count() == (int)COUNT(needs), "%d", gelu_level_count());
    CHECK(strcmp(gelu_level_at(0)->name, "baseline") == 0, "%s", gelu_level_at(0)->name);
    CHECK(gelu_level_is_available(0), "the baseline runs everywhere");
    CHECK(!gelu_level_is_available(-1) && !gelu_level_is_available(gelu_level_count()), "no level");
    for (int i = 0; i < gelu_level_count(); i++) {
        CHECK(gelu_level_is_available(i) == ((features & needs[i]) == needs[i]), "%s",
              gelu_level_at(i)->name);
        CHECK(i == 0 || (needs[i] > needs[i - 1] && gelu_level_at(i)->has_fma), "%s",
              gelu_level_at(i)->name);
    }
    const int best = gelu_best_level();
    CHECK(gelu_level_is_available(best), "best %d", best);
    for (int i = best + 1; i < gelu_level_count(); i++)
        CHECK(!gelu_level_is_available(i), "better than the best: %d", i);
    end();
}

static void names(void)
{
    static const char *const unknown[] = {"",     "avx",       "avx22", "avx51",
                                          "base", "BASELINES", " avx2", "baseline ",
                                          "sse2", "none",      "0",     "{`"};
    begin("levels by name");
    for (int i = 0; i < gelu_level_count(); i++) {
        char name[32] = "";
        strncpy(name, gelu_level_at(i)->name, sizeof name - 1);
        CHECK(gelu_find_level(name) == i, "%s", name);
        for (char *c = name; *c; c++)
            if (*c >= 'a' && *c <= 'z') {
                *c = (char)(*c - 32); /* one letter more in upper case each time */
                CHECK(gelu_find_level(name) == i, "%s", name);
            }
    }
    for (size_t i = 0; i < COUNT(unknown); i++)
        CHECK(gelu_find_level(unknown[i]) == -1, "'%s'", unknown[i]);
    end();
}

static int kernels_are_of(int level)
{
    for (int f = 0; f < GELU_FUNCTION_COUNT; f++)
        for (int d = 0; d < GELU_DTYPE_COUNT; d++)
            if (gelu_selected_kernel[f][d] !=
                (d < GELU_HALF_COUNT ? gelu_half_kernel[f][d] : gelu_level_at(level)->kernel[f][d]))
                return 0;
    return 1;
}

static void selection(void)
{
    begin("selection");
    for (int i = 0; i < gelu_level_count(); i++) {
        const int before = gelu_selected_level(), available = gelu_level_is_available(i);
        CHECK(gelu_select_level(i) == (available ? 0 : -1), "%d", i);
        CHECK(gelu_selected_level() == (available ? i : before), "%d", i);
        CHECK(kernels_are_of(gelu_selected_level()), "%d", i);
        for (int bad = -2; bad <= gelu_level_count() + 1; bad += gelu_level_count() + 2) {
            CHECK(gelu_select_level(bad) == -1, "%d", bad);
            CHECK(gelu_selected_level() == (available ? i : before), "%d", bad);
            CHECK(kernels_are_of(gelu_selected_level()), "%d", bad);
        }
    }
    end();
}

static void unavailable(void)
{
    for (int i = 0; i < gelu_level_count(); i++)
        if (!gelu_level_is_available(i)) {
            begin("kernels of %s", gelu_level_at(i)->name);
            skip("this CPU or system cannot run them; their selection was refused");
        }
}

int main(void)
{
    x86_features();
    aarch64_features();
    this_machine();
    level_list();
    names();
    selection();
    unavailable();
    return finish();
}
