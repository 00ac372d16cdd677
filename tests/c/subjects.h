/* The walk over everything there is to test: level x function x dtype. */
#ifndef SUBJECTS_H
#define SUBJECTS_H

#include <fenv.h>

#include "check.h"
#include "internal.h"
#include "values.h"

/* Flags that NumPy would report. */
enum { LOUD = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW | FE_UNDERFLOW };

typedef struct {
    int level, function, dtype;
    format f;
    gelu_kernel *kernel;
} subject;

/* Selects the level, if it is available: the kernels of the half types follow it. */
static inline subject subject_of(int level, int function, int dtype)
{
    gelu_select_level(level);
    return (subject){level, function, dtype, format_of(dtype),
                     gelu_selected_kernel[function][dtype]};
}

static inline const char *level_name(int level) { return gelu_level_at(level)->name; }
static inline const char *function_name(int function) { return gelu_functions[function].name; }
static inline const char *dtype_name(int dtype) { return gelu_dtypes[dtype].name; }

/* Whether this machine has the level; if not, the group that was begun is skipped. */
static inline int can_run(int level)
{
    if (gelu_level_is_available(level))
        return 1;
    skip("this CPU or system has no %s", level_name(level));
    return 0;
}

/* Whether the function has one of these names. No names stand for all. */
static inline int is_chosen(int function, int count, char **names)
{
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], function_name(function)) == 0)
            return 1;
    return count == 0;
}

/* One group per kernel of the first dtypes that this machine can run. */
static inline void for_each_kernel_of(int dtypes, const char *what, void (*test)(const subject *))
{
    for (int level = 0; level < gelu_level_count(); level++) {
        if (!gelu_level_is_available(level)) {
            begin("%s %s", what, level_name(level));
            can_run(level);
            continue;
        }
        for (int function = 0; function < GELU_FUNCTION_COUNT; function++)
            for (int dtype = 0; dtype < dtypes; dtype++) {
                const subject s = subject_of(level, function, dtype);
                begin("%s %s %s %s", what, level_name(level), function_name(function),
                      dtype_name(dtype));
                test(&s);
                end();
            }
    }
}

static inline void for_each_kernel(const char *what, void (*test)(const subject *))
{
    for_each_kernel_of(GELU_DTYPE_COUNT, what, test);
}

static inline void for_each_half_kernel(const char *what, void (*test)(const subject *))
{
    for_each_kernel_of(GELU_HALF_COUNT, what, test);
}

/* f(word), by a call for one element. */
static inline uint64_t result_of(const subject *s, uint64_t word)
{
    _Alignas(8) char memory[8];
    set_word(s->f, memory, 0, word);
    s->kernel(memory, memory, 1);
    return get_word(s->f, memory, 0);
}

/* What special values and tails are like, by the registry's names. */
typedef enum { VALUE, DERIVATIVE, ODD } kind;

static inline kind kind_of(int function)
{
    const char *name = function_name(function);
    const size_t length = strlen(name);
    if (strcmp(name, "erf") == 0)
        return ODD;
    return length > 5 && strcmp(name + length - 5, "_grad") == 0 ? DERIVATIVE : VALUE;
}

#endif
