"""What goes wrong around the package: an installation that is not whole, another package that is
too old, files that may not be written, sizes that no machine has."""

import os
import pathlib
import shutil
import subprocess
import sys

import numpy as np
import pytest
from helpers import assert_same_bits, ordinary_values

import gelu_ufunc

PACKAGE = pathlib.Path(gelu_ufunc.__file__).parent


# ---- an installation that is not whole


@pytest.fixture
def installation(tmp_path):
    """A copy of the package, to be damaged."""
    if not list(PACKAGE.glob("_core.*")):
        pytest.skip("an editable installation is not one folder")
    ignored = shutil.ignore_patterns("__pycache__")
    return pathlib.Path(shutil.copytree(PACKAGE, tmp_path / PACKAGE.name, ignore=ignored))


def run_with(module, *arguments):
    """Python, to which this module is the first one of its name."""
    return subprocess.run(
        [sys.executable, "-P", *arguments],
        env={**os.environ, "PYTHONPATH": str(module.parent)},
        capture_output=True,
        text=True,
    )


def import_error(installation):
    run = run_with(installation, "-c", "import gelu_ufunc")
    assert run.returncode == 1, run
    message = run.stderr.splitlines()[-1]
    assert message.startswith("ImportError: ")
    return message


def test_a_whole_copy_works(installation):
    run = run_with(installation, "-c", "import gelu_ufunc; print(gelu_ufunc.__file__)")
    assert (run.stdout.strip(), run.stderr) == (str(installation / "__init__.py"), "")


def test_no_extension_module(installation):
    for file in installation.glob("_core.*[!i]"):
        if file.suffix != ".pyx":
            file.unlink()
    message = import_error(installation)
    assert str(installation) in message
    assert "pip install" in message


def the_library(installation):
    found = [
        path for path in installation.glob("lib/*gelu_ufunc.*") if path.suffix in (".so", ".dylib")
    ]
    if not found:
        pytest.skip("here the extension module needs no library")
    return found[0]


def test_no_library(installation):
    library = the_library(installation)
    library.unlink()
    assert library.name in import_error(installation)


@pytest.mark.parametrize("size", [0, 10, 500])
def test_library_cut_off(installation, size):
    """In its headers, which the loader checks. A cut behind them ends the process."""
    library = the_library(installation)
    os.truncate(library, size)
    assert library.name in import_error(installation)


def test_no_data(installation):
    shutil.rmtree(installation / "data")
    run = run_with(installation, "-m", "gelu_ufunc", "demo")
    assert run.returncode == 1
    assert "minilm_preactivations.npy" in run.stderr.splitlines()[-1]


# ---- other packages


def test_ml_dtypes_without_bfloat16(tmp_path):
    """Named in a warning, and done without."""
    (tmp_path / "ml_dtypes.py").write_text("__version__ = '0.0.1'")
    run = run_with(
        tmp_path / "ml_dtypes.py", "-c", "import gelu_ufunc; print(gelu_ufunc.gelu.types)"
    )
    assert run.stdout.strip() == "['e->e', 'f->f', 'd->d']"
    assert "RuntimeWarning: gelu_ufunc does without bfloat16" in run.stderr
    assert "0.4" in run.stderr


# ---- memory maps


@pytest.fixture
def mapped(tmp_path):
    """Maps a file of 1000 numbers, which begin at its fourth byte."""

    def open_map(dtype, mode):
        return np.memmap(path, dtype, mode, offset=4, shape=(1000,))

    path = tmp_path / "numbers"
    path.write_bytes(bytes(4) + ordinary_values(1000, np.dtype("d")).tobytes())
    return open_map


def test_read_only_map(case, mapped):
    x = mapped(case.dtype, "r")
    before = x.tobytes()
    got = case.ufunc(x)
    assert type(got) is type(np.negative(x))
    with np.errstate(invalid="ignore"):  # signalling NaNs, in float16
        assert_same_bits(np.asarray(got), case.ufunc(np.array(x)), case)
    with pytest.raises(ValueError, match="read-only"):
        case.ufunc(x, x)
    assert x.tobytes() == before


@pytest.mark.parametrize(("mode", "written"), [("r+", True), ("c", False)])
def test_map_as_output(case, mapped, mode, written):
    """In place; a private map leaves the file as it was."""
    x = mapped(case.dtype, mode)
    before = np.array(x)
    want = case.ufunc(before)
    case.ufunc(x, x)
    assert_same_bits(np.asarray(x), want, case)
    x.flush()
    in_file = np.array(mapped(case.dtype, "r"))
    assert_same_bits(in_file, want if written else before, case)


def test_map_of_no_numbers(case, mapped):
    x = mapped(case.dtype, "r")[:0]
    assert case.ufunc(x).shape == (0,)
    assert case.ufunc(x, np.empty((3, 0), case.dtype)).shape == (3, 0)


# ---- sizes


@pytest.mark.parametrize("shape", [(2**60,), (2**40, 2**20)])
def test_larger_than_any_memory(ufunc, shape):
    """One number, broadcast: the result has no room."""
    x = np.broadcast_to(np.float32(1), shape)
    errors = []
    for function in (np.exp, ufunc):
        with pytest.raises((MemoryError, ValueError)) as caught:
            function(x)
        errors.append((caught.type, str(caught.value)))
    assert errors[0] == errors[1]


def test_nothing_is_computed_where_nothing_is_wanted(ufunc):
    out = np.zeros(3, "f")
    assert ufunc(np.ones(3, "f"), out, where=np.zeros(3, bool)) is out
    assert (out == 0).all()
