"""Usage: python tests/soak.py MINUTES: eight threads call all functions at all dtypes, plain, in
place, strided and by gelu_ufunc.threaded, one round of all at least. Every result is compared with
that of one thread."""

import itertools
import sys
import threading
import time

import numpy as np
from compositions import COMPOSED, mixed_pairs
from helpers import CASES, ordinary_values, same_bits, special_values

from gelu_ufunc import _threaded, threaded

THREADS, N = 8, 30011
_threaded._PER_THREAD = _threaded._PER_BLOCK = 4096  # so that arrays of this size are cut


def inputs_of(case):
    if case.ufunc.nin == 2:
        return tuple(mixed_pairs(case.dtype, N))
    ordinary = ordinary_values(N, case.dtype)
    specials = special_values(case.dtype)
    ordinary[:: N // specials.size][: specials.size] = specials
    return (ordinary,)


def plain(ufunc, *inputs):
    return ufunc(*inputs)


def in_place(ufunc, first, *others):
    out = first.copy()
    return ufunc(out, *others, out)


def strided(ufunc, *inputs):
    return ufunc(*inputs, np.empty((2, inputs[0].size), inputs[0].dtype).T[:, 1])


def by_threads(ufunc, *inputs):
    return threaded(ufunc, 2)(*inputs)


@np.errstate(all="ignore")  # the arithmetic of functions of two numbers may overflow
def work(seed, cases, stop, tally):
    rng = np.random.default_rng(seed)
    ways = itertools.cycle((plain, in_place, strided, by_threads))
    for call in itertools.islice(ways, seed, None):
        for index in rng.permutation(len(cases)):
            case, inputs, want = cases[index]
            start, step = int(rng.integers(N)), int(rng.choice([-3, -1, 1, 1, 2]))
            part = slice(start, None, step)
            got = call(case.ufunc, *(x[part] for x in inputs))
            tally[same_bits(got, want[part])] += 1
        if time.monotonic() > stop:
            return


@np.errstate(all="ignore")
def main(minutes):
    cases = [(case, inputs := inputs_of(case), case.ufunc(*inputs)) for case in CASES + COMPOSED]
    stop = time.monotonic() + 60 * minutes
    tallies = [{True: 0, False: 0} for _ in range(THREADS)]
    threads = [
        threading.Thread(target=work, args=(seed, cases, stop, tally))
        for seed, tally in enumerate(tallies)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    right, wrong = (sum(tally[key] for tally in tallies) for key in (True, False))
    print(f"{right + wrong} calls by {THREADS} threads, {wrong} mismatches")
    return wrong != 0 or right == 0


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1])))
