"""The inputs whose results are hashed: they reveal any change of bits.

python fixed_inputs.py records the hashes of this machine's best level in data/hashes.json, to be
done with a release that announces different bits, and for a new function."""

import hashlib
import json
import pathlib

import numpy as np
from compositions import COMPOSED
from helpers import BUILT, CASES, available_levels, bits, use_level

PATH = pathlib.Path(__file__).with_name("data") / "hashes.json"


def fixed_inputs(dtype):
    """Bit patterns at equal distances (of the half types all), and the line from -45 to 19: 2^20
    of each, which are exact (in the half types rounded)."""
    unsigned = np.dtype(f"u{dtype.itemsize}")
    step = (1 << 8 * dtype.itemsize >> 20) | 1  # odd: the last bits vary, too
    patterns = np.arange(1 << 20, dtype=np.uint64) * np.uint64(step)
    line = np.arange(1 << 20) / 2.0**14 - 45
    return np.concatenate([patterns.astype(unsigned).view(dtype), line.astype(dtype)])


def arguments(case):
    """The second of two inputs has the numbers of the first in another order."""
    x = fixed_inputs(case.dtype)
    return (x, np.roll(x, 700001))[: case.ufunc.nin]


def hash_of(case):
    """A hash of the results in little-endian order, all NaNs made the same."""
    with np.errstate(all="ignore"):  # signalling NaNs are among the patterns
        result = case.ufunc(*arguments(case))
    result[np.isnan(result)] = np.nan
    return hashlib.sha256(bits(result).astype(f"<u{result.itemsize}").tobytes()).hexdigest()


def main():
    level = available_levels()[-1]
    if not BUILT[level]["has_fma"]:
        raise SystemExit(f"level {level} has bits of its own")
    with use_level(level):
        hashes = {str(case): hash_of(case) for case in (*CASES, *COMPOSED)}
    PATH.write_text(json.dumps(hashes, indent=2) + "\n")


if __name__ == "__main__":
    main()
