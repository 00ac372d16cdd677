/* Hashes of results that are on record, one for each function and dtype. */
#ifndef RECORDED_H
#define RECORDED_H

#include "subjects.h"

typedef struct {
    const char *function, *dtype;
    uint64_t hash;
} recorded_hash;

/* The one of this function and dtype; 0 if there is none. */
static inline uint64_t find_hash(const recorded_hash *rows, size_t n, const subject *s)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(rows[i].function, function_name(s->function)) == 0 &&
            strcmp(rows[i].dtype, dtype_name(s->dtype)) == 0)
            return rows[i].hash;
    return 0;
}

#endif
