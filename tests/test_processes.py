"""Pickling, other processes, threads: the functions may be used everywhere at once."""

import copy
import importlib
import itertools
import multiprocessing
import os
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest
from helpers import CASES, assert_same_bits, holds_in_fork, ordinary_values, same_bits
from samples import all_halves


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickle(ufunc, protocol, monkeypatch, tmp_path):
    """Also where another module that holds the name comes first in sys.modules."""
    name = f"user_of_{ufunc.__name__}"
    (tmp_path / f"{name}.py").write_text(f"from gelu_ufunc import {ufunc.__name__}")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "modules", {name: importlib.import_module(name), **sys.modules})
    data = pickle.dumps(ufunc, protocol)
    assert pickle.loads(data) is ufunc
    if np.lib.NumpyVersion(np.__version__) >= "2.2.0":
        assert b"user_of" not in data
        assert b"_core" not in data


def test_copy(ufunc):
    assert copy.copy(ufunc) is ufunc
    assert copy.deepcopy(ufunc) is ufunc


PARENT = """
import multiprocessing, sys
import numpy as np
from gelu_ufunc import {name}

if __name__ == "__main__":
    x = np.linspace(-20, 5, 20000).reshape(8, -1)
    want = {name}(x)
    with multiprocessing.get_context(sys.argv[1]).Pool(2) as pool:
        got = pool.map({name}, list(x))
    assert np.array_equal(got, want)
    print("same")
"""


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_multiprocessing(ufunc, method, tmp_path):
    """By fork after use, too."""
    script = tmp_path / "parent.py"
    script.write_text(PARENT.format(name=ufunc.__name__))
    run = subprocess.run(
        [sys.executable, script, method], capture_output=True, text=True, timeout=120, cwd=tmp_path
    )
    assert run.stdout.strip() == "same", run.stderr


# NumPy's BLAS has threads of its own, which newer Pythons warn of.
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_fork_after_use(case, level):
    """The child computes the parent's bits, on the parent's level."""
    x = ordinary_values(5000, case.dtype)
    want = case.ufunc(x)
    assert holds_in_fork(lambda: same_bits(case.ufunc(x), want))


FIRST_USE = """
import hashlib, sys, threading
import numpy as np
import gelu_ufunc
if sys.argv[2] == "bfloat16":
    import ml_dtypes

ufunc = getattr(gelu_ufunc, sys.argv[1])
x = np.arange(1 << 16).astype(np.uint16).view(sys.argv[2])
results = [np.empty_like(x) for _ in range(8)]
start = threading.Barrier(8)

def run(out):
    start.wait()
    for part in range(0, x.size, 4096):
        ufunc(x[part : part + 4096], out[part : part + 4096])

threads = [threading.Thread(target=run, args=(out,)) for out in results]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
sys.stdout.buffer.write(b"".join(out.tobytes() for out in results))
"""


@pytest.mark.parametrize("case", [c for c in CASES if c.dtype.itemsize == 2], ids=str)
def test_first_use_by_eight_threads(case, tmp_path):
    """In a new process, where there is no table yet. (Its results: test_correctly_rounded.)"""
    with np.errstate(invalid="ignore"):  # for signalling NaNs
        want = case.ufunc(all_halves(case.dtype))
    script = tmp_path / "first_use.py"
    script.write_text(FIRST_USE)
    for _ in range(3):
        run = subprocess.run(
            [sys.executable, script, case.name, case.dtype.name], capture_output=True, timeout=120
        )
        assert run.returncode == 0, run.stderr
        for got in np.frombuffer(run.stdout, case.dtype).reshape(8, -1):
            assert_same_bits(got, want, case)


def test_eight_threads(level):
    """All functions and dtypes at once; the lock is released within calls so long."""
    work = [(case.ufunc, ordinary_values(30011, case.dtype, seed)) for case in CASES
            for seed in range(4)]  # fmt: skip
    want = [ufunc(x) for ufunc, x in work]
    start, wrong = threading.Barrier(8), []

    def run(offset):
        start.wait()
        for _ in range(5):
            for (ufunc, x), right in itertools.islice(
                itertools.cycle(zip(work, want, strict=True)), offset, offset + len(work)
            ):
                if not same_bits(ufunc(x), right):
                    wrong.append(ufunc.__name__)

    threads = [threading.Thread(target=run, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
