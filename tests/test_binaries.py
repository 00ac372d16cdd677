"""The installed libraries, as readelf shows them: what they export, how the loader guards them."""

import pathlib
import re
import shutil
import subprocess

import pytest

import gelu_ufunc

ROOT = pathlib.Path(__file__).parents[1]
PACKAGE = pathlib.Path(gelu_ufunc.__file__).parent
LIBRARY = PACKAGE / "lib" / "libgelu_ufunc.so"
EXTENSION = next(PACKAGE.glob("_core.*.so"), PACKAGE / "_core.so")

pytestmark = [
    pytest.mark.skipif(shutil.which("readelf") is None, reason="no readelf"),
    pytest.mark.skipif(not (LIBRARY.exists() and EXTENSION.exists()), reason="no libraries of ELF"),
]


@pytest.fixture(params=[LIBRARY, EXTENSION], ids=["library", "extension"])
def binary(request):
    return request.param


def readelf(binary, option):
    return subprocess.check_output(["readelf", "--wide", option, binary], text=True)


def symbols(binary, defined):
    """The names in the dynamic symbol table: here, or wanted from elsewhere."""
    pattern = r"^ *\d+: \w+ +\d+ +\w+ +(?:GLOBAL|WEAK) +(?:DEFAULT|PROTECTED) +(\w+) (\w+)"
    found = re.findall(pattern, readelf(binary, "--dyn-syms"), re.MULTILINE)
    assert found
    return {name for index, name in found if (index != "UND") == defined}


def test_library_exports():
    """The public functions, and what the extension module is declared to use."""
    signatures = (ROOT / "tests/data/c_signatures.txt").read_text().splitlines()
    public = {line.partition(":")[0] for line in signatures}
    internal = set(re.findall(r"\bgelu_\w+", (ROOT / "src/internal.h").read_text()))
    exported = symbols(LIBRARY, defined=True)
    assert public <= exported
    assert exported - public <= internal


def test_extension_exports():
    assert symbols(EXTENSION, defined=True) == {"PyInit__core"}


def test_extension_takes_its_library():
    wanted = {name for name in symbols(EXTENSION, defined=False) if name.startswith("gelu_")}
    assert wanted
    assert wanted <= symbols(LIBRARY, defined=True)


def test_no_memory_is_written_and_run(binary):
    segments = readelf(binary, "--segments")
    assert re.search(r"^ +GNU_STACK +(0x\w+ +){5}RW +\w+$", segments, re.MULTILINE)
    assert not re.search(r"^ +\w+ +(0x\w+ +){5}RWE", segments, re.MULTILINE)
    assert "TEXTREL" not in readelf(binary, "--dynamic")


def test_relocations_are_read_only(binary):
    """All are made when it is loaded, and their pages closed then."""
    assert re.search(r"^ +GNU_RELRO ", readelf(binary, "--segments"), re.MULTILINE)
    assert re.search(r"BIND_NOW|Flags:.* NOW", readelf(binary, "--dynamic"))


def test_stack_protector():
    assert "__stack_chk_fail" in symbols(LIBRARY, defined=False)


def test_no_library_is_looked_for_elsewhere():
    """A run path of the machine that built it would be."""
    paths = re.findall(r"(?:RPATH|RUNPATH).*\[(.*)\]", readelf(EXTENSION, "--dynamic"))
    assert paths == ["$ORIGIN/lib"]
    assert not re.search("RPATH|RUNPATH", readelf(LIBRARY, "--dynamic"))
