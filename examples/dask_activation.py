"""Applies gelu to an array on disk that is larger than the memory this program allows itself."""

import argparse
import contextlib
import math
import pathlib
import re
import sys
import tempfile
import time

import numpy as np

from gelu_ufunc import gelu

MIB = 1 << 20
CHUNK = (256, 2048)  # 2 MiB
PER_WORKER = 64  # MiB: some chunks, in float64 while they are made, and their compressed form
SAMPLES = 500  # of each chunk, beside math.erfc

# ---- memory


def cap_memory(room):
    """Allow this many bytes beyond what the imports took; return the limit."""
    import resource

    status = pathlib.Path("/proc/self/status").read_text()
    held = 1024 * int(re.search(r"VmData:\s+(\d+) kB", status)[1])  # what RLIMIT_DATA counts
    resource.setrlimit(resource.RLIMIT_DATA, (held + room, resource.RLIM_INFINITY))
    return held + room


def peak():
    import resource

    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def fits(shape):
    try:
        np.ones(shape, np.float32)
    except MemoryError:
        return False
    return True


# ---- the arithmetic: of single chunks, a few of which are in memory at a time


def reference(x):
    """gelu of a number by another formula, in float64."""
    return x * math.erfc(-x / math.sqrt(2)) / 2


def chunk_error(x, y):
    """The largest error of a sample in ULP; infinite unless all of y has the bits of gelu(x)."""
    if not np.array_equal(gelu(x).view("u4"), y.view("u4")):
        return np.full((1, 1), np.inf)
    step = max(1, x.size // SAMPLES)
    want = np.array([reference(float(value)) for value in x.ravel()[::step]])
    ulp = np.spacing(np.abs(want).astype(np.float32))
    return np.max(np.abs(y.ravel()[::step] - want) / ulp).reshape(1, 1)


# ---- the program


@contextlib.contextmanager
def step(name):
    """Shows dask's progress bar, then how long it took."""
    from dask.diagnostics import ProgressBar

    start = time.perf_counter()
    with ProgressBar(out=sys.stderr):
        yield
    print(f"{name:<24}{time.perf_counter() - start:7.1f} s")


def process(source, target, rows):
    """Write an array, write gelu of it, and return the largest error found in the latter."""
    import dask.array as da

    with step("random numbers to disk"):
        numbers = da.random.default_rng(1).normal(0, 2, (rows, CHUNK[1]), chunks=CHUNK)
        numbers.astype(np.float32).to_zarr(source)
    with step("gelu from disk to disk"):
        gelu(da.from_zarr(source)).to_zarr(target)
    with step("verification"):
        x, y = da.from_zarr(source), da.from_zarr(target)
        errors = da.map_blocks(chunk_error, x, y, chunks=(1, 1), dtype=float, meta=np.ones((1, 1)))
        return errors.max().compute()


def run(options, folder):
    import dask.array
    import zarr

    zarr.config.set({"threading.max_workers": 1})  # each thread takes memory for its stack
    shape = (CHUNK[0] * math.ceil(options.size * MIB / 4 / math.prod(CHUNK)), CHUNK[1])
    limit = cap_memory(options.memory * MIB)
    print(f"the array               {4 * math.prod(shape) / MIB:7.0f} MiB")
    print(f"the limit               {limit / MIB:7.0f} MiB")
    print(f"the array in one piece  {'fits' if fits(shape) else 'MemoryError':>11}")
    with dask.config.set(scheduler="threads", num_workers=options.workers):
        error = process(folder / "x.zarr", folder / "gelu.zarr", shape[0])
    print(f"peak of resident memory {peak() / MIB:7.0f} MiB")
    print(f"largest error           {error:7.3f} ULP")
    if error > 1:
        sys.exit("gelu promises 1 ULP")


def make_parser():
    parser = argparse.ArgumentParser(description=__doc__)

    def add(option, default, text):
        parser.add_argument(
            option, type=int, default=default, metavar="N", help=f"{text}; default: %(default)s"
        )

    add("--size", 1024, "MiB of the array")
    add("--memory", 256, "MiB that may be used beyond what Python and its libraries take")
    add("--workers", 2, "dask's threads")
    parser.add_argument("--folder", help="where the arrays are written, and removed at the end")
    return parser


def main(arguments=None):
    parser = make_parser()
    options = parser.parse_args(arguments)
    if min(options.size, options.workers) < 1:
        parser.error("--size and --workers must be at least 1")
    if options.memory < PER_WORKER * options.workers:
        parser.error(f"--memory must be at least {PER_WORKER} MiB for each of the --workers")
    if sys.platform != "linux":
        parser.error("the limit is set and counted in Linux's way")
    try:
        with tempfile.TemporaryDirectory(dir=options.folder) as folder:
            run(options, pathlib.Path(folder))
    except OSError as error:
        parser.error(str(error))
    except ImportError as error:
        parser.error(f"{error}; README.md beside this file says what to install")
    except MemoryError:
        sys.exit(f"{options.memory} MiB are too little here: see --memory and --workers")


if __name__ == "__main__":
    main()
