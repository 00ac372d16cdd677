/* How a kernel walks over its numbers, for one width: included by kernels.c with W = 32 and 64. Knows
   no mathematics.

   A block is done in two steps: every vector by the near path, without a branch, right for the frequent
   numbers; then the other lanes, packed together, so that a rare number costs what it costs alone,
   wherever it stands. A block that follows one of mostly rare numbers is done vector by vector. */
#include "simd/width.h"

#define ALL_LANES ((1u << LANES) - 1)

/* The lanes beyond the end of the array are ordinary, and not stored. */
GELU_INLINE VF AT(load_f)(const NUMBER *p, size_t left)
{
    return left >= LANES ? F(load)(p) : F(load_partial)(p, left);
}
GELU_INLINE void AT(store_f)(NUMBER *p, VF v, size_t left)
{
    if (left >= LANES)
        F(store)(p, v);
    else
        F(store_partial)(p, v, left);
}

/* The lanes of a block in which the near path is wrong; there the output still holds the input. */
typedef struct {
    size_t vectors; /* how many have such a lane; where each starts, and a bit for each lane */
    uint16_t start[BLOCK / LANES + 1], lanes[BLOCK / LANES + 1];
} AT(rest_f);

/* Notes the lanes of the vector at `start` that are not right, if there are any. Without a branch: the
   entry is written in any case, and overwritten by the next one unless the count has gone up. */
GELU_INLINE void AT(note_f)(AT(rest_f) * rest, size_t start, unsigned right)
{
    const unsigned other = ALL_LANES ^ right;
    rest->start[rest->vectors] = (uint16_t)start;
    rest->lanes[rest->vectors] = (uint16_t)other;
    rest->vectors += other != 0;
}

/* The places in the block of all such lanes; returns how many. */
GELU_NOINLINE size_t AT(places_f)(const AT(rest_f) * rest, uint16_t *place)
{
    size_t n = 0;
    for (size_t k = 0; k < rest->vectors; k++)
        for (unsigned lane = 0; lane < LANES; lane += 4)
            n = list_bits(place, n, rest->lanes[k] >> lane & 15, rest->start[k] + lane);
    return n;
}

GELU_NOINLINE void AT(gather_f)(NUMBER *packed, const NUMBER *y, const uint16_t *place, size_t n)
{
    for (size_t k = 0; k < n; k++)
        packed[k] = y[place[k]];
}

GELU_NOINLINE void AT(scatter_f)(const NUMBER *packed, NUMBER *y, const uint16_t *place, size_t n)
{
    for (size_t k = 0; k < n; k++)
        y[place[k]] = packed[k];
}

/* Whole vectors by the near path; and any numbers vector by vector, where it returns how many were rare. */
typedef void AT(near_block_f)(const NUMBER *x, NUMBER *y, size_t n, AT(rest_f) * rest);
typedef size_t AT(any_block_f)(const NUMBER *x, NUMBER *y, size_t n);

GELU_NOINLINE size_t AT(rest_of_block_f)(AT(any_block_f) * any_block, NUMBER *y,
                                         const AT(rest_f) * rest)
{
    uint16_t place[BLOCK + 4];
    NUMBER packed[BLOCK];
    size_t n = AT(places_f)(rest, place);
    AT(gather_f)(packed, y, place, n);
    any_block(packed, packed, n);
    AT(scatter_f)(packed, y, place, n);
    return n;
}

GELU_NOINLINE void AT(kernel_f)(AT(near_block_f) * near_block, AT(any_block_f) * any_block,
                                const NUMBER *x, NUMBER *y, size_t n)
{
    const unsigned callers_rounding = SIMD_IS_SILENT ? GELU_FP_NEAREST : gelu_fp_round_to_nearest();
    AT(rest_f) rest;
    size_t rare = 0;
    for (size_t length; n > 0; n -= length, x += length, y += length) {
        length = n < BLOCK ? n : BLOCK;
        if (GELU_UNLIKELY(rare > MOSTLY_RARE)) {
            rare = any_block(x, y, length);
        } else {
            const size_t whole = length - length % LANES;
            rest.vectors = 0;
            near_block(x, y, whole, &rest);
            rare = rest.vectors ? AT(rest_of_block_f)(any_block, y, &rest) : 0;
            if (whole < length)
                any_block(x + whole, y + whole, length - whole);
        }
    }
    gelu_fp_round_again(callers_rounding);
}

#undef ALL_LANES

#include "simd/end_width.h"
