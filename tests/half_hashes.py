"""Hashes of the correctly rounded results, for the C test of float16 and bfloat16.

python half_hashes.py > c/half_hashes.h computes them in ball arithmetic: to be done for a new
function. No result of the package is in them."""

import numpy as np
import reference
from helpers import CASES, bits
from samples import all_halves, is_finite

AT_INFINITY = {"value": (np.inf, -0.0), "derivative": (1.0, -0.0), "odd": (1.0, -1.0)}


def correct_results(case):
    """In the order of their bit patterns."""
    x = all_halves(case.dtype)
    finite = is_finite(x)
    results = np.full_like(x, np.nan)
    results[finite] = reference.evaluate(case.name, x[finite]).rounded.astype(case.dtype)
    for infinity, result in zip((np.inf, -np.inf), AT_INFINITY[case.kind], strict=True):
        results[x == infinity] = result
    return results


def hash_of(results):
    """FNV-1a over the bit patterns, as tests/c/values.h has it; a NaN is the quiet one."""
    words = bits(results)
    quiet = int(np.abs(np.full(1, np.nan, results.dtype)).view(words.dtype)[0])
    value = 0xCBF29CE484222325
    for word, is_nan in zip(words.tolist(), np.isnan(results).tolist(), strict=True):
        value = (value ^ (quiet if is_nan else word)) * 0x100000001B3 % 2**64
    return value


def main():
    print("/* Written by tests/half_hashes.py: function, dtype, hash. */\n/* clang-format off */")
    for case in CASES:
        if case.dtype.itemsize == 2:
            value = hash_of(correct_results(case))
            print(f'{{"{case.name}", "{case.dtype.name}", UINT64_C({value:#x})}},')


if __name__ == "__main__":
    main()
