"""The command, as a script and as a module."""

import pathlib
import re
import subprocess
import sys
import warnings
import zipfile

import numpy as np
import pytest
from helpers import LIMITS

import gelu_ufunc
from gelu_ufunc import _cli, variants

SCRIPT = pathlib.Path(sys.executable).with_name("gelu-ufunc")
COMMANDS = {"script": [str(SCRIPT)], "module": [sys.executable, "-P", "-m", "gelu_ufunc"]}


@pytest.fixture(params=COMMANDS)
def command(request, tmp_path):
    """Runs from a folder without the source."""
    if request.param == "script" and not SCRIPT.exists():
        pytest.skip(f"{SCRIPT} is not installed")

    def run(*arguments):
        return subprocess.run(
            [*COMMANDS[request.param], *arguments], capture_output=True, text=True, cwd=tmp_path
        )

    return run


def test_demo(command):
    run = command("demo")
    assert run.returncode == 0, run.stderr
    assert run.stderr == ""
    for part in (*LIMITS, gelu_ufunc.simd.level(), "np.tanh"):
        assert part in run.stdout


def test_info(command):
    run = command("info")
    assert run.returncode == 0, run.stderr
    for part in (gelu_ufunc.__version__, np.__version__, *gelu_ufunc.simd.available()):
        assert part in run.stdout


def test_version(command):
    assert command("--version").stdout.strip() == gelu_ufunc.__version__


def test_help(command):
    run = command("--help")
    assert run.returncode == 0
    assert "demo" in run.stdout


@pytest.mark.parametrize(
    "arguments", [[], ["unknown"], ["demo", "surplus"], ["--unknown"], ["identify"]], ids=str
)
def test_wrong_arguments(command, arguments):
    run = command(*arguments)
    assert run.returncode == 2
    assert "usage: gelu-ufunc" in run.stderr
    assert run.stdout == ""


# ---- identify


def test_identify(command, tmp_path):
    x = np.linspace(-5, 5, 101)
    y = x / (1 + np.exp(-1.702 * x))
    np.savez(tmp_path / "dump.npz", x=x, y=y.astype(np.float32))
    run = command("identify", "dump.npz")
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("It is gelu_sigmoid.")
    assert "101 samples, outputs in float32" in run.stdout


def write(path, kind):
    match kind:
        case "text":
            path.write_text("x y")
        case "array":
            with path.open("wb") as file:
                np.save(file, np.ones(3))
        case "truncated":
            np.savez(path, x=np.ones(1000), y=np.ones(1000))
            path.write_bytes(path.read_bytes()[:500])
        case "names":
            np.savez(path, x=np.ones(3), z=np.ones(3))
        case "unnamed":
            np.savez(path, np.ones(3), np.ones(3))
        case "odd name":
            np.savez(path, **{"a\nb\x1b": np.ones(3)})
        case "empty":
            np.savez(path)
        case "shapes":
            np.savez(path, x=np.ones(3), y=np.ones(4))
        case "object":
            np.savez(path, x=np.ones(3), y=np.array([None] * 3))
        case "complex":
            np.savez(path, x=np.ones(3), y=np.ones(3, complex))


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("missing", "No such file"),
        ("text", "not an .npz file; numpy.savez(file, x=x, y=y) writes one"),
        ("array", "not an .npz file"),
        ("truncated", "not an .npz file"),
        ("names", "no array y in it, but x, z: save them with numpy.savez(file, x=x, y=y)"),
        ("unnamed", "no array x and y in it, but arr_0, arr_1: save them with numpy.savez(file, x"),
        ("odd name", "in it, but a b : save"),
        ("empty", "no array x and y in it, but no array: save them with"),
        ("shapes", "(3,)"),
        ("object", "cannot be read: Object arrays"),
        ("complex", "complex128"),
    ],
)
def test_identify_bad_file(kind, message, command, tmp_path):
    write(tmp_path / "dump.npz", kind)
    run = command("identify", "dump.npz")
    assert run.returncode == 1
    assert run.stdout == ""
    assert message in run.stderr
    assert "dump.npz" in run.stderr
    assert run.stderr.count("\n") == 1


def write_header(path, text):
    """Of the array x; y is as it should be, and no data follow."""
    np.savez(path, y=np.ones(3))
    with zipfile.ZipFile(path, "a") as archive:
        text = text.encode()
        archive.writestr("x.npy", b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text)


def set_in_headers(path, offset, value):
    """A byte of each array's header, which stands before its data and at the end of the file."""
    content = bytearray(path.read_bytes())
    for signature, shift in ((b"PK\x03\x04", 0), (b"PK\x01\x02", 2)):
        start = content.find(signature)
        while start >= 0:
            content[start + offset + shift] = value
            start = content.find(signature, start + 1)
    path.write_bytes(content)


def damage(path, kind):
    np.savez_compressed(path, x=np.arange(100.0), y=np.arange(100.0))
    match kind:
        case "deflate":
            content = path.read_bytes()
            path.write_bytes(content[:60] + bytes([255] * 40) + content[100:])
        case "checksum":
            set_in_headers(path, 14, 0)
        case "encrypted":
            set_in_headers(path, 6, 1)
        case "compression":
            set_in_headers(path, 8, 77)
        case "no memory":
            write_header(path, f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({2**50},)}}\n")
        case "no integer":
            write_header(path, f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({2**70},)}}\n")
        case "open bracket":
            write_header(path, "{'descr': (\n")
        case "long header":
            write_header(path, " " * 20000 + "\n")
        case "no data":
            write_header(path, "{'descr': '<f8', 'fortran_order': False, 'shape': (3,)}\n")


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("deflate", "decompressing"),
        ("checksum", "CRC-32"),
        ("encrypted", "password"),
        ("compression", "compression"),
        ("no memory", "8.00 PiB"),
        ("no integer", ""),
        ("open bracket", "EOF"),
        ("long header", "max_header_size"),
        ("no data", "EOF"),
    ],
)
def test_identify_damaged_file(kind, message, command, tmp_path):
    """One line, whatever NumPy, zipfile and zlib raise."""
    damage(tmp_path / "dump.npz", kind)
    run = command("identify", "dump.npz")
    assert run.returncode == 1
    assert run.stdout == ""
    assert run.stderr.startswith("gelu-ufunc: dump.npz: cannot be read: ")
    assert message in run.stderr
    assert run.stderr.count("\n") == 1


def exit_message(*arguments):
    """ "" if there is none; with NumPy's warnings about odd headers left out."""
    with warnings.catch_warnings(action="ignore"):
        try:
            _cli.main(arguments)
        except SystemExit as end:
            return end.code
    return ""


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (MemoryError("Unable to allocate 8 TiB"), "Unable to allocate 8 TiB"),
        (MemoryError(), "MemoryError"),
    ],
    ids=repr,
)
def test_identify_without_memory(error, said, tmp_path, monkeypatch):
    def fail(x, y):
        raise error

    path = tmp_path / "dump.npz"
    np.savez(path, x=np.ones(3), y=np.ones(3))
    monkeypatch.setattr(variants, "identify", fail)
    message = exit_message("identify", str(path))
    assert message == f"gelu-ufunc: {path}: not enough memory: {said}"


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed], ids=lambda save: save.__name__)
def test_identify_any_damage(save, tmp_path, capsys):
    """A report or one line, whatever three bytes of a file become."""
    path = tmp_path / "dump.npz"
    save(path, x=np.linspace(-3, 3, 5), y=np.linspace(-3, 3, 5).astype(np.float16))
    content = np.frombuffer(path.read_bytes(), np.uint8)
    rng = np.random.default_rng(8)
    refused = 0
    for _ in range(200):
        damaged = content.copy()
        damaged[rng.integers(content.size, size=3)] = rng.integers(256, size=3)
        path.write_bytes(damaged)
        error = exit_message("identify", str(path))
        refused += bool(error)
        assert bool(error) != bool(capsys.readouterr().out)
        assert re.fullmatch("(gelu-ufunc: .+)?", error)
    assert 50 < refused < 200
