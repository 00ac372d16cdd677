"""The command, as a script and as a module."""

import pathlib
import subprocess
import sys

import numpy as np
import pytest
from helpers import LIMITS

import gelu_ufunc

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
        ("text", "not an .npz file"),
        ("array", "not an .npz file"),
        ("truncated", "not an .npz file"),
        ("names", "no array y in it, but x, z"),
        ("empty", "no array x and y in it, but no array"),
        ("shapes", "(3,)"),
        ("object", "Object arrays"),
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
    assert "Traceback" not in run.stderr
