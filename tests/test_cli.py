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
    "arguments", [[], ["unknown"], ["demo", "surplus"], ["--unknown"]], ids=str
)
def test_wrong_arguments(command, arguments):
    run = command(*arguments)
    assert run.returncode == 2
    assert "usage: gelu-ufunc" in run.stderr
    assert run.stdout == ""
