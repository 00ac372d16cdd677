/* Where float64_rows.c, written by src/coeffs/float64_rows.py, puts its tables: once for all levels. */
#ifndef GELU_FLOAT64_ROWS_H
#define GELU_FLOAT64_ROWS_H

enum { ROW_LENGTH_F64 = 10 };

/* h(a) on [0, end] by many short intervals, for row_core_f64. A row holds center, value and the
   coefficients of p by rising power: h(a) = value + t p(t), t = a - center. The last row stands there
   twice: under upward rounding, which a caller may have set, the row of `end` is one too high. */
typedef struct {
    double end;
    double scale, slope;         /* the row of a: a (a scale + slope), rounded; below 2^10 */
    double anchor, anchor_slope; /* rows with this centre add anchor_slope t last: a zero of h */
    const double (*row)[ROW_LENGTH_F64]; /* aligned: no pair of numbers crosses a cache line */
} f64_rows;

#define X(name, ...) extern const f64_rows gelu_rows_##name;
GELU_FUNCTIONS(X) /* of registry.h, which comes first */
#undef X

#endif
