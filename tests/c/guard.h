/* Memory between two inaccessible pages: a touch outside of it is a crash. */
#ifndef GUARD_H
#define GUARD_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct {
    char *start, *end;
} guarded;

static inline guarded guarded_page(void)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *all = mmap(NULL, 3 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED || mprotect(all + page, page, PROT_READ | PROT_WRITE) != 0) {
        perror("guarded_page");
        exit(1);
    }
    return (guarded){all + page, all + 2 * page};
}

#endif
