/* The end of a file that begins with width.h. */
#undef W
#undef AT
#undef F
#undef I
#undef M
#undef VF
#undef VI
#undef VM
#undef NUMBER
#undef WORD
#undef LANES
#undef SIGN_BIT
#undef FRACTION_BITS
#undef BIAS
#undef TO_INTEGER
