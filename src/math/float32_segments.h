/* The form of the tables in float32_tables.h, written by src/coeffs/float32_tables.py. */
#ifndef GELU_FLOAT32_SEGMENTS_H
#define GELU_FLOAT32_SEGMENTS_H

/* h(a) = value + t p(t), t = a - center, on 16 segments of [0, edge]; for table_core_f32. */
typedef struct {
    float edge;
    float near_edge;    /* the segments up to here are 0…7 */
    float scale, slope; /* the segment of a: a (a scale + slope), rounded */
    int rows;           /* how many of coeff are used */
    /* The segment in which h passes through 0. There a part of h, anchor_slope t, is added last,
       unrounded, so that h is accurate relative to itself. */
    int anchor;
    float anchor_slope;
    f32_table center, value; /* value = h(center), the centre chosen so that this is a float */
    /* p by rising power; the low halves of the last row's words are one more coefficient, as
       bfloat16. */
    f32_table coeff[7];
} f32_segments;

#endif
