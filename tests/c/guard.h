/* Memory between two inaccessible pages: a touch outside of it is a crash. */
#ifndef GUARD_H
#define GUARD_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "cpu.h"

typedef struct {
    char *start, *end;
} guarded;

static inline guarded page_between(int protection)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *all = mmap(NULL, 3 * page, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED || mprotect(all + page, page, PROT_READ | PROT_WRITE) != 0) {
        perror("page_between");
        exit(1);
    }
    return (guarded){all + page, all + 2 * page};
}

/* Some emulators read a masked load's excluded lanes too, which no processor does: tried in a child
   process, by the instruction itself and not by the code under test. */
#if defined(__x86_64__)
#include <immintrin.h>

__attribute__((target("avx"))) static inline void masked_load(const char *last)
{
    volatile float kept;
    const __m256i first = _mm256_setr_epi32(-1, 0, 0, 0, 0, 0, 0, 0);
    kept = _mm256_cvtss_f32(_mm256_maskload_ps((const float *)(const void *)last, first));
    (void)kept;
}

static inline int masked_loads_are_exact(void)
{
    int status = 1;
    if (!(gelu_cpu_features() & GELU_CPU_AVX2))
        return 1;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        masked_load(page_between(PROT_NONE).end - sizeof(float));
        _exit(0);
    }
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}
#else
static inline int masked_loads_are_exact(void) { return 1; }
#endif

static inline guarded guarded_page(void)
{
    static int exact = -1;
    if (exact < 0 && !(exact = masked_loads_are_exact())) {
        begin("reads beyond the end");
        skip("this emulator reads what a masked load excludes");
    }
    return page_between(exact ? PROT_NONE : PROT_READ);
}

#endif
