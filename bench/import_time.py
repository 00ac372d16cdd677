"""How long `import gelu_ufunc` takes beyond NumPy's import: new interpreters, in turns.

python bench/import_time.py [--limit MILLISECONDS]
"""

import argparse
import statistics
import subprocess
import sys

ROUNDS = 15
CODE = """
import time
import numpy
start = time.perf_counter()
import gelu_ufunc
print(time.perf_counter() - start)
"""


def milliseconds() -> float:
    run = subprocess.run(
        [sys.executable, "-P", "-c", CODE], capture_output=True, text=True, check=True
    )
    return 1e3 * float(run.stdout)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=float, help="fail if the median is above this")
    limit = parser.parse_args().limit
    times = [milliseconds() for _ in range(ROUNDS)]
    median = statistics.median(times)
    print(f"import gelu_ufunc after numpy: median {median:.2f} ms, least {min(times):.2f} ms")
    return limit is not None and median > limit


if __name__ == "__main__":
    sys.exit(main())
