/* Usage: test_threads [SECONDS]: eight threads call the public functions of all dtypes at once, again
   and again from where no table of a half type is filled. Results are those of one thread. .ci/full runs
   it for minutes, and under ThreadSanitizer. */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "subjects.h"

enum { THREADS = 8, N = 1500 };

typedef void public_call(const void *x, void *y, size_t n);

static _Alignas(64) char inputs[GELU_DTYPE_COUNT][N * 8], wanted[GELU_PUBLIC_COUNT][N * 8];

typedef struct {
    pthread_t thread;
    unsigned seed;
    _Alignas(64) char results[GELU_PUBLIC_COUNT][N * 8];
} worker;

static worker workers[THREADS];
static pthread_barrier_t start;

static void prepare(void)
{
    for (int d = 0; d < GELU_DTYPE_COUNT; d++) {
        const format f = format_of(d);
        uint64_t words[FEW_WORDS];
        few_words(f, words);
        for (size_t i = 0; i < N; i++)
            set_word(f, inputs[d], i,
                     i % 3 ? value_word(f, (double)(random_word() % 6001) / 1000 - 4)
                           : words[random_word() % FEW_WORDS]);
    }
}

/* Of the last numbers: another length and alignment in each thread. */
static void call(int i, char results[][N * 8], size_t first)
{
    const int dtype = i % GELU_DTYPE_COUNT;
    const size_t skipped = first * gelu_dtypes[dtype].size;
    ((public_call *)gelu_public_functions[i].function)(inputs[dtype] + skipped,
                                                       results[i] + skipped, N - first);
}

static size_t first_of(const worker *w) { return w->seed * 37 % 320; }

/* In an order of its own, so that each thread is now and then the first. */
static void *work(void *argument)
{
    worker *const w = argument;
    pthread_barrier_wait(&start);
    for (unsigned k = 0; k < GELU_PUBLIC_COUNT; k++)
        call((int)((w->seed + k * 5) % GELU_PUBLIC_COUNT), w->results, first_of(w));
    return NULL;
}

static void run_threads(void)
{
    pthread_barrier_init(&start, NULL, THREADS);
    for (int t = 0; t < THREADS; t++) {
        workers[t].seed += t ? 1 + (unsigned)t : 1;
        if (pthread_create(&workers[t].thread, NULL, work, &workers[t]) != 0)
            abort();
    }
    for (int t = 0; t < THREADS; t++)
        pthread_join(workers[t].thread, NULL);
    pthread_barrier_destroy(&start);
}

static int is_right(const worker *w, int i)
{
    const format f = format_of(i % GELU_DTYPE_COUNT);
    for (size_t k = first_of(w); k < N; k++) {
        const uint64_t got = get_word(f, w->results[i], k), want = get_word(f, wanted[i], k);
        if (got != want && !(is_nan(f, got) && is_nan(f, want)))
            return 0;
    }
    return 1;
}

/* Rounds until the time is over, one at least. */
static void soak(const char *name, int level, double seconds)
{
    const time_t stop = time(NULL) + (time_t)seconds;
    long calls = 0;
    begin("eight threads, %s", name);
    do {
        if (level >= 0)
            gelu_select_level(level); /* the tables are empty again */
        run_threads();
        for (int i = 0; i < GELU_PUBLIC_COUNT; i++) {
            call(i, wanted, 0);
            for (int t = 0; t < THREADS; t++, calls++)
                CHECK(is_right(&workers[t], i), "%s, thread %d", gelu_public_functions[i].name, t);
        }
    } while (time(NULL) < stop);
    printf(", %ld calls, %lu mismatches", calls, tally.failures);
    end();
}

int main(int count, char **arguments)
{
    const double seconds = count > 1 ? strtod(arguments[1], NULL) : 0;
    prepare();
    soak("no level selected before", -1, 0);
    for (int level = 0; level < gelu_level_count(); level++)
        if (gelu_level_is_available(level))
            soak(level_name(level), level, seconds / gelu_level_count());
    return finish();
}
