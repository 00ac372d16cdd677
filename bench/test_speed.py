"""Speed of every function and dtype: pytest bench/test_speed.py

Each group holds the functions and their references on the same data. They run one after the other,
so a machine whose clock changes can mislead: compare.py takes them in turns."""

import pytest
from contestants import DTYPES, FUNCTIONS, SIZES, arrays, contestants

LABELS = list(contestants(FUNCTIONS, None, None))


@pytest.mark.parametrize("label", LABELS)
@pytest.mark.parametrize("distribution", ["real", "tail"])
@pytest.mark.parametrize("size", ["1K", "128K", "4M"])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.benchmark(max_time=0.1, min_rounds=5)
def test_speed(benchmark, label, distribution, size, dtype):
    x, out = arrays(distribution, SIZES[size], dtype)
    benchmark.group = f"{dtype}, {size}, {distribution}"
    benchmark(contestants(FUNCTIONS, x, out)[label])
