"""Speed of every function at every dtype, size and distribution: pytest bench/test_speed.py

Each group holds the functions and their references on the same data. They run one after the other,
so a machine whose clock changes can mislead: compare.py takes them in turns."""

import pytest
from contestants import DISTRIBUTIONS, DTYPES, FUNCTIONS, SIZES, arrays, contestants

LABELS = list(contestants(FUNCTIONS, None, None))


@pytest.mark.parametrize("label", LABELS)
@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.benchmark(max_time=0.1, min_rounds=5)
def test_speed(benchmark, label, distribution, size, dtype):
    x, out = arrays(distribution, SIZES[size], dtype)
    benchmark.group = f"{dtype}, {size}, {distribution}"
    benchmark(contestants(FUNCTIONS, x, out)[label])
