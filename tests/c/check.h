/* A tiny harness. A test is a program: groups of checks, one line each, and a closing count. It
   does not use assert, which a release build may compile out. */
#ifndef CHECK_H
#define CHECK_H

#include <stdarg.h>
#include <stdio.h>

#if defined(__GNUC__)
#define PRINTS(text, first) __attribute__((format(printf, text, first)))
#else
#define PRINTS(text, first)
#endif

static struct {
    int passed, failed, skipped;
    unsigned long checks, failures; /* of the group at hand */
} tally;

/* The name comes out at once, so that a crash tells where it was. */
PRINTS(1, 2) static inline void begin(const char *name, ...)
{
    va_list arguments;
    va_start(arguments, name);
    vprintf(name, arguments);
    va_end(arguments);
    fflush(stdout);
    tally.checks = tally.failures = 0;
}

PRINTS(3, 4)
static inline void check_failed(int line, const char *condition, const char *detail, ...)
{
    va_list arguments;
    if (tally.failures++ >= 5)
        return; /* the first few tell enough */
    printf("\n    line %d: %s: ", line, condition);
    va_start(arguments, detail);
    vprintf(detail, arguments);
    va_end(arguments);
}

/* CHECK(condition, format, ...): what is printed should name the input. */
#define CHECK(condition, ...)                                                                      \
    do {                                                                                           \
        tally.checks++;                                                                            \
        if (!(condition))                                                                          \
            check_failed(__LINE__, #condition, __VA_ARGS__);                                       \
    } while (0)

static inline void end(void)
{
    if (tally.checks == 0)
        check_failed(__LINE__, "checks > 0", "this group checked nothing");
    if (tally.failures)
        printf("\n    FAILED: %lu of %lu checks\n", tally.failures, tally.checks);
    else
        printf(": ok\n");
    *(tally.failures ? &tally.failed : &tally.passed) += 1;
}

/* In place of a group, or of its end. */
PRINTS(1, 2) static inline void skip(const char *reason, ...)
{
    va_list arguments;
    va_start(arguments, reason);
    printf(": skipped, ");
    vprintf(reason, arguments);
    va_end(arguments);
    printf("\n");
    tally.skipped++;
}

/* The program's exit status; Meson takes 77 for a skipped test. */
static inline int finish(void)
{
    printf("%d passed, %d failed, %d skipped\n", tally.passed, tally.failed, tally.skipped);
    return tally.failed ? 1 : tally.passed ? 0 : 77;
}

#endif
