/* A fuzz target: bytes become one call of a public function or of one of NumPy's inner loops, with any
   numbers, length, strides, alignment and aliasing that is allowed, on the level that is selected. After it

     - memory is what calls for one element at a time make of a copy: results are right (a kernel's are
       those of another level where both have fused multiply-add), and nothing else has changed;
     - nothing was touched outside the operands, which lie in blocks of just their size: this is for
       AddressSanitizer to see;
     - the control bits are the caller's; so are the flags, with those of the elements' operations.

   libFuzzer finds such bytes (`.ci/full fuzz`); what it kept lies in corpus/, for replay.c. GELU_UFUNC_SIMD
   is the level's name. */
#include "fuzz.h"

#include <stdlib.h>

#include "control.h"
#include "subjects.h"

enum { A, B, OUT, OPERANDS };
enum { PUBLIC, UNARY, BINARY, ENTRIES };
/* What NumPy lets overlap: an operand that is another one; inputs that run ahead of the output; and the
   first input of accumulate and reduce, which is the output of the element before. */
enum { APART, OUT_IS_A, OUT_IS_B, ALL_ARE_ONE, AHEAD, ACCUMULATE, REDUCE, ALIASINGS };
enum { RAW, FEW, ORDINARY, KINDS, UNTOUCHED = 0x5a };

typedef struct {
    int entry, row, dtype, kind, is_default;
    format f;
    ptrdiff_t n, step[OPERANDS];
    ptrdiff_t first[OPERANDS]; /* of element 0, from the block's origin */
    int home[OPERANDS];        /* whose block it lies in */
    size_t offset[OPERANDS];   /* of each block from a multiple of 16 bytes */
    int rounding, raised;
    uint64_t control;
    const uint8_t *numbers;
    size_t size;
} plan;

typedef struct {
    char *start[OPERANDS], *at[OPERANDS];
    size_t size[OPERANDS];
} memory;

/* ---- bytes to a plan */

typedef struct {
    const uint8_t *at;
    size_t left;
} bytes;

static unsigned take(bytes *from) { return from->left ? from->left--, *from->at++ : 0; }

/* Every length of the first vectors, and those around multiples of the blocks. */
static ptrdiff_t length_of(unsigned byte)
{
    static const ptrdiff_t edges[] = {256, 512, 1024, 2048};
    return byte < 132 ? (ptrdiff_t)byte
                      : edges[(byte - 132) / 31] + (ptrdiff_t)(byte - 132) % 31 - 15;
}

/* Contiguous is 0; the last one is further than a page. */
static ptrdiff_t step_of(const plan *p, unsigned byte)
{
    const ptrdiff_t step = (ptrdiff_t)p->f.size + (int8_t)byte;
    return byte == 127 && p->n < 132 ? 5000 : step;
}

static ptrdiff_t magnitude_of(ptrdiff_t step) { return step < 0 ? -step : step; }

/* Of one call, outputs do not overlap. */
static ptrdiff_t output_step_of(const plan *p, unsigned byte)
{
    const ptrdiff_t step = step_of(p, byte), size = (ptrdiff_t)p->f.size;
    return magnitude_of(step) < size ? size : step;
}

static void make_one(plan *p, int operand)
{
    p->home[operand] = OUT;
    p->first[operand] = p->first[OUT];
    p->step[operand] = p->step[OUT];
}

/* In the direction of the output at no smaller steps, and not behind it. */
static void run_ahead(plan *p, int operand, unsigned byte)
{
    const ptrdiff_t direction = p->step[OUT] < 0 ? -1 : 1;
    const ptrdiff_t further = magnitude_of(p->step[operand]) - magnitude_of(p->step[OUT]);
    p->home[operand] = OUT;
    p->first[operand] = direction * (ptrdiff_t)(byte * p->f.size);
    p->step[operand] = p->step[OUT] + (further > 0 ? direction * further : 0);
}

static void alias(plan *p, unsigned aliasing, unsigned more)
{
    const int inputs = p->entry == BINARY ? 2 : 1;
    if (p->entry == PUBLIC)
        aliasing %= OUT_IS_A + 1;
    else if (inputs == 1)
        aliasing = aliasing == OUT_IS_B || aliasing > AHEAD ? APART : aliasing;
    if (aliasing == REDUCE)
        p->step[OUT] = 0;
    if (aliasing == OUT_IS_A || aliasing == ALL_ARE_ONE || aliasing >= ACCUMULATE)
        make_one(p, A);
    if (aliasing == OUT_IS_B || aliasing == ALL_ARE_ONE)
        make_one(p, B);
    if (aliasing == ACCUMULATE)
        p->first[A] -= p->step[OUT];
    if (aliasing == AHEAD) {
        if (inputs == 2 && more & 128)
            make_one(p, A);
        else
            run_ahead(p, A, more & 15);
        if (inputs == 2 && more & 64)
            run_ahead(p, B, more >> 4 & 3);
    }
}

static plan plan_of(const uint8_t *data, size_t size)
{
    static const int roundings[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    static const int flags[] = {0, FE_OVERFLOW, FE_DIVBYZERO, FE_UNDERFLOW | FE_INVALID};
    plan p = {.home = {A, B, OUT}};
    bytes from = {data, size};
    p.entry = (int)(take(&from) % ENTRIES);
    p.row = (int)(take(&from) % (p.entry == BINARY ? (unsigned)GELU_COMPOSITION_COUNT
                                                   : (unsigned)GELU_FUNCTION_COUNT));
    p.dtype = (int)(take(&from) % GELU_DTYPE_COUNT);
    p.f = format_of(p.dtype);
    p.n = length_of(take(&from));
    for (int k = 0; k < OPERANDS; k++) {
        const unsigned byte = p.entry == PUBLIC ? 0 : take(&from);
        p.step[k] = k == OUT ? output_step_of(&p, byte) : step_of(&p, byte);
    }
    const unsigned aliasing = take(&from) % ALIASINGS;
    alias(&p, aliasing, take(&from));
    for (int k = 0; k < OPERANDS; k++)
        p.offset[k] = take(&from) % (64 / p.f.size) * p.f.size;
    const unsigned environment = take(&from);
    p.is_default = environment < 128;
    p.rounding = roundings[p.is_default ? 0 : environment & 3];
    p.control = environment >= 192 ? flush_to_zero : 0;
    p.raised = flags[environment >> 2 & 3];
    p.kind = (int)(take(&from) % KINDS);
    p.numbers = from.left ? from.at : (const uint8_t *)"";
    p.size = from.left ? from.left : 1;
    return p;
}

/* ---- memory */

static void include(const plan *p, int operand, ptrdiff_t *low, ptrdiff_t *high)
{
    const ptrdiff_t first = p->first[operand], last = first + (p->n - 1) * p->step[operand];
    const ptrdiff_t end = (first < last ? last : first) + (ptrdiff_t)p->f.size;
    if (p->n == 0 || (operand == B && p->entry != BINARY))
        return;
    *low = first < *low ? first : *low;
    *low = last < *low ? last : *low;
    *high = end > *high ? end : *high;
}

/* Element 0 is aligned, as NumPy's is; the block ends where the last operand does. */
static memory allocate(const plan *p)
{
    memory m;
    for (int block = 0; block < OPERANDS; block++) {
        ptrdiff_t low = 0, high = 0;
        for (int k = 0; k < OPERANDS; k++)
            if (p->home[k] == block)
                include(p, k, &low, &high);
        const size_t origin = p->offset[block] + (size_t)(7 - low) / 8 * 8;
        m.size[block] = origin + (size_t)high;
        m.start[block] = malloc(m.size[block]);
        memset(m.start[block], UNTOUCHED, m.size[block]);
        for (int k = 0; k < OPERANDS; k++)
            if (p->home[k] == block)
                m.at[k] = m.start[block] + origin + p->first[k];
    }
    return m;
}

static void release(const memory *m)
{
    for (int block = 0; block < OPERANDS; block++)
        free(m->start[block]);
}

static char *element(const plan *p, const memory *m, int operand, ptrdiff_t i)
{
    return m->at[operand] + i * p->step[operand];
}

static uint64_t number(const plan *p, size_t i)
{
    static uint64_t words[GELU_DTYPE_COUNT][FEW_WORDS];
    uint64_t word = 0;
    if (p->kind == RAW) {
        for (size_t k = 0; k < p->f.size; k++)
            word = word << 8 | p->numbers[(i * p->f.size + k) % p->size];
        return word;
    }
    const uint8_t byte = p->numbers[i % p->size];
    if (p->kind == ORDINARY)
        return value_word(p->f, (int8_t)byte / 16.0);
    if (!words[p->dtype][0])
        few_words(p->f, words[p->dtype]);
    return words[p->dtype][byte % FEW_WORDS];
}

static void fill(const plan *p, const memory *m)
{
    for (ptrdiff_t i = 0; i < p->n; i++) {
        set_word(p->f, element(p, m, A, i), 0, number(p, (size_t)i));
        if (p->entry == BINARY)
            set_word(p->f, element(p, m, B, i), 0, number(p, (size_t)i * 5 + 1));
    }
}

static memory copy_of(const plan *p, const memory *m)
{
    memory copy = allocate(p);
    for (int block = 0; block < OPERANDS; block++)
        if (m->size[block])
            memcpy(copy.start[block], m->start[block], m->size[block]);
    return copy;
}

/* ---- calls */

static gelu_composed composed_of(const plan *p)
{
    return gelu_compositions[p->row].composed[p->dtype];
}

static void call(const plan *p, const memory *m)
{
    char *operands[OPERANDS] = {m->at[A], m->at[B], m->at[OUT]};
    gelu_composed composed;
    if (p->entry == PUBLIC) {
        typedef void public_call(const void *, void *, size_t);
        ((public_call *)gelu_public_functions[p->row * GELU_DTYPE_COUNT + p->dtype].function)(
            m->at[A], m->at[OUT], (size_t)p->n);
    } else if (p->entry == UNARY) {
        const ptrdiff_t steps[] = {p->step[A], p->step[OUT]};
        operands[1] = m->at[OUT];
        gelu_unary_loop[p->dtype](operands, &p->n, steps, &gelu_selected_kernel[p->row][p->dtype]);
    } else {
        composed = composed_of(p);
        gelu_binary_loop[p->dtype](operands, &p->n, p->step, &composed);
    }
}

/* Of the first level with fused multiply-add, if the one in use has it too. */
static gelu_kernel *reference(const plan *p)
{
    int level = gelu_selected_level();
    if (p->dtype < GELU_HALF_COUNT)
        return gelu_half_kernel[p->row][p->dtype];
    if (gelu_level_at(level)->has_fma)
        for (level = 0; !gelu_level_at(level)->has_fma;)
            level++;
    return gelu_level_at(level)->kernel[p->row][p->dtype];
}

static void one_by_one(const plan *p, const memory *m)
{
    gelu_kernel *const kernel = p->entry == BINARY ? NULL : reference(p);
    for (ptrdiff_t i = 0; i < p->n; i++) {
        _Alignas(8) char a[8], b[8], out[8];
        memcpy(a, element(p, m, A, i), p->f.size);
        if (p->entry == BINARY) {
            memcpy(b, element(p, m, B, i), p->f.size);
            composed_of(p).run(composed_of(p).function, a, b, out, 1);
        } else {
            kernel(a, out, 1);
        }
        memcpy(element(p, m, OUT, i), out, p->f.size);
    }
}

/* ---- what is demanded */

static void demand(int holds, const plan *p, const char *what)
{
    if (holds)
        return;
    printf("%s: entry %d, row %d, %s, %s, n %td, steps %td %td %td, from %td %td, homes %d %d, "
           "rounding %d, control %#llx, raised %#x\n",
           what, p->entry, p->row, dtype_name(p->dtype), level_name(gelu_selected_level()), p->n,
           p->step[A], p->step[B], p->step[OUT], p->first[A], p->first[B], p->home[A], p->home[B],
           p->rounding, (unsigned long long)p->control, (unsigned)p->raised);
    fflush(stdout);
    abort();
}

/* They are not of two numbers in another rounding mode, and flushing to zero only those of a table. */
static int has_promised_results(const plan *p)
{
    return p->is_default || (p->entry != BINARY && (p->dtype < GELU_HALF_COUNT || !p->control));
}

/* NaNs differ in sign and payload. */
static void forgive(const plan *p, const memory *got, const memory *wanted)
{
    for (ptrdiff_t i = 0; i < p->n; i++) {
        char *const ours = element(p, got, OUT, i), *const theirs = element(p, wanted, OUT, i);
        const int both =
            is_nan(p->f, get_word(p->f, ours, 0)) && is_nan(p->f, get_word(p->f, theirs, 0));
        if (both || !has_promised_results(p))
            memcpy(theirs, ours, p->f.size);
    }
}

static int has_signalling_nan(const plan *p, const memory *m)
{
    for (ptrdiff_t i = 0; i < p->n; i++) {
        const uint64_t word = get_word(p->f, element(p, m, A, i), 0);
        if (is_nan(p->f, word) && word != quieted(p->f, word))
            return 1;
    }
    return 0;
}

/* The call with these flags and control bits; returns the flags raised after it. */
static int flags_after(const plan *p, const memory *m)
{
    const uint64_t normal = control();
    fesetround(p->rounding);
    set_control(control() | p->control);
    const uint64_t before = control();
    feclearexcept(FE_ALL_EXCEPT);
    feraiseexcept(p->raised);
    call(p, m);
    const int raised = fetestexcept(LOUD);
    const uint64_t after = control();
    set_control(normal);
    fesetround(FE_TONEAREST);
    demand(before == after, p, "control bits changed");
    return raised;
}

/* Not by valgrind. */
static int flags_are_kept(void)
{
    volatile double one = 1, zero = 0;
    feclearexcept(FE_ALL_EXCEPT);
    one = one / zero;
    return fetestexcept(FE_DIVBYZERO) != 0;
}

static void check_flags(const plan *p, int quiet, int operations, int after)
{
    if (p->entry != BINARY)
        demand(!(operations & ~(quiet ? 0 : FE_INVALID)), p, "a single element raised a flag");
    if (p->entry == UNARY)
        demand(after == p->raised, p, "a loop changed flags");
    else if (p->is_default)
        demand((after & ~operations) == (p->raised & ~operations), p, "flags changed");
    if (p->entry == BINARY && p->is_default)
        demand((after & operations) == operations, p, "a flag is missing");
}

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    const char *const name = getenv("GELU_UFUNC_SIMD");
    (void)count, (void)arguments;
    if (gelu_select_level(name ? gelu_find_level(name) : gelu_best_level()) == 0)
        return 0;
    fprintf(stderr, "no level %s\n", name);
    exit(1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const plan p = plan_of(data, size);
    const memory m = allocate(&p);
    fill(&p, &m);
    const int quiet = !has_signalling_nan(&p, &m);
    const memory wanted = copy_of(&p, &m);
    feclearexcept(FE_ALL_EXCEPT);
    one_by_one(&p, &wanted);
    const int operations = fetestexcept(LOUD);
    const int after = flags_after(&p, &m);
    if (flags_are_kept())
        check_flags(&p, quiet, operations, after);
    forgive(&p, &m, &wanted);
    for (int block = 0; block < OPERANDS; block++)
        demand(!m.size[block] || memcmp(m.start[block], wanted.start[block], m.size[block]) == 0,
               &p, block == OUT ? "wrong results, or written beside them" : "an input changed");
    release(&m);
    release(&wanted);
    return 0;
}
