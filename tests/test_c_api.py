"""The C API: header, library, Cython declarations, and the addresses that Cython asks for."""

import ctypes
import importlib.util
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

import numpy as np
import pytest
from helpers import LIMITS

import gelu_ufunc

ROOT = pathlib.Path(__file__).parents[1]
FROZEN = dict(
    line.split(": ") for line in (ROOT / "tests/data/c_signatures.txt").read_text().splitlines()
)
DTYPES = {"f16": np.float16, "bf16": None, "f32": np.float32, "f64": np.float64}
PACKAGE = pathlib.Path(gelu_ufunc.__file__).parent
HEADER = pathlib.Path(gelu_ufunc.get_include()) / "gelu_ufunc.h"
DECLARATIONS = PACKAGE / "__init__.pxd"


capsule_name = ctypes.PYFUNCTYPE(ctypes.c_char_p, ctypes.py_object)(
    ("PyCapsule_GetName", ctypes.pythonapi)
)
capsule_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)


def signature(capsule):
    return capsule_name(capsule).decode()


def function(name):
    """The C function as Python can call it: of two arrays and a number."""
    capsule = gelu_ufunc.__pyx_capi__[name]
    type_ = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)
    c_function = type_(capsule_pointer(capsule, capsule_name(capsule)))
    return lambda x, y, n: c_function(x.ctypes.data, y.ctypes.data, n)


def split(c_name):
    """The ufunc's name and the dtype's suffix."""
    name, _, suffix = c_name.rpartition("_")
    return name if name in LIMITS else name.removeprefix("gelu_"), suffix


# ---- what is promised


def test_signatures_are_frozen():
    """A released signature never changes; a new function adds lines to the file."""
    found = {name: signature(capsule) for name, capsule in gelu_ufunc.__pyx_capi__.items()}
    assert found == FROZEN


def test_every_function_has_every_dtype():
    expected = {(name, suffix) for name in LIMITS for suffix in DTYPES}
    assert {split(c_name) for c_name in FROZEN} == expected
    assert len(FROZEN) == len(expected)


def test_names_have_the_prefix():
    assert all(c_name.startswith("gelu_") for c_name in FROZEN)


def declared(text, pattern):
    return {
        name: f"void ({type_} const *, {type_} *, size_t)"
        for name, type_ in re.findall(pattern, text, re.MULTILINE)
    }


def test_header_and_declarations_agree():
    parameters = r"(\w+)\(const (\w+) \*x, \2 \*y, size_t n\)"
    assert declared(HEADER.read_text(), rf"^GELU_API void {parameters};$") == FROZEN
    pxd = DECLARATIONS.read_text()
    assert declared(pxd, rf"^cdef void {parameters} noexcept nogil$") == FROZEN
    scalars = re.findall(r"^cdef inline floating (\w+)\(floating x\)", pxd, re.MULTILINE)
    assert scalars == list(LIMITS)


def test_they_are_what_the_script_writes():
    spec = importlib.util.spec_from_file_location("public_api", ROOT / "src/public_api.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    for path, text in script.files().items():
        installed = PACKAGE / path.relative_to(script.PACKAGE)
        assert installed.read_text() == text, f"{path}: run src/public_api.py, and install"


# ---- calls


@pytest.mark.parametrize("c_name", FROZEN)
def test_same_bits_as_the_ufunc(c_name):
    name, suffix = split(c_name)
    dtype = DTYPES[suffix] or pytest.importorskip("ml_dtypes").bfloat16
    x = np.random.default_rng(1).normal(0, 4, 1001).astype(dtype)
    x[:5] = 0.0, -0.0, np.inf, -np.inf, np.nan
    expected = getattr(gelu_ufunc, name)(x).tobytes()
    y = np.full_like(x, 7)
    function(c_name)(x, y, 1000)
    assert y[:1000].tobytes() == expected[: 1000 * x.itemsize]
    assert y[1000] == 7
    function(c_name)(x, x, 1001)  # in place
    assert x.tobytes() == expected


def test_an_empty_array():
    x = np.ones(1, np.float32)
    function("gelu_f32")(x, x, 0)
    assert x[0] == 1


# ---- compilers

PROGRAM = """
#include "gelu_ufunc.h"
int main(void)
{
    const float x[3] = {-1, 0, 100};
    float y[3];
    gelu_f32(x, y, 3);
    return y[0] > -0.15f || y[0] < -0.16f || y[1] != 0 || y[2] != 100;
}
"""
WINDOWS = pytest.mark.skipif(sys.platform == "win32", reason="the library is a static one there")


@WINDOWS
@pytest.mark.parametrize("compiler", ["gcc -std=c99", "clang -std=c99", "g++ -std=c++11"])
def test_a_program(compiler, tmp_path):
    command, standard = compiler.split()
    if shutil.which(command) is None:
        pytest.skip(f"no {command}")
    source = tmp_path / ("program.cpp" if "++" in standard else "program.c")
    source.write_text(PROGRAM)
    library = gelu_ufunc.get_library_dir()
    subprocess.run(
        [
            *(command, standard, "-Wall", "-Wextra", "-Wpedantic", "-Werror", source),
            *(f"-I{gelu_ufunc.get_include()}", f"-L{library}", "-lgelu_ufunc"),
            *(f"-Wl,-rpath,{library}", "-o", tmp_path / "program"),
        ],
        check=True,
    )
    subprocess.run([tmp_path / "program"], check=True)


@WINDOWS
def test_pkg_config():
    if shutil.which("pkg-config") is None:
        pytest.skip("no pkg-config")
    library = gelu_ufunc.get_library_dir()
    run = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "gelu_ufunc"],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PKG_CONFIG_PATH": f"{library}/pkgconfig"},
    )
    include, folder, name = shlex.split(run.stdout)
    assert pathlib.Path(include.removeprefix("-I")).samefile(gelu_ufunc.get_include())
    assert pathlib.Path(folder.removeprefix("-L")).samefile(library)
    assert name == "-lgelu_ufunc"
