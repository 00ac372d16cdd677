"""Adds the toy function of docs/contributing.md to a copy of the source, builds and tests it.

It takes about a minute, and a compiler: so it is run by name, as the gate does,
`pytest tests/adding_a_function.py`."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[1]
PATCH = ROOT / "docs" / "toy_function.patch"
IGNORED = shutil.ignore_patterns(".*", "build", "dist", "__pycache__", "*.so")
# A step that needs no new build to be missed: its file, and the tests that miss it.
STEPS = {
    "CHANGELOG.md": "test_registry.py",
    "gelu_ufunc/_docs.py": "test_registry.py",
    "gelu_ufunc/__init__.py": "test_registry.py",
    "gelu_ufunc/__init__.pyi": "test_registry.py",
    "tests/data/c_signatures.txt": "test_c_api.py",
    "tests/reference.py": "test_registry.py",
    "tests/data/cases.csv": "test_cases.py",
}


def run(*command, cwd, **variables):
    return subprocess.run(
        [*map(str, command)],
        cwd=cwd,
        env=os.environ | variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def succeed(*command, **options):
    done = run(*command, **options)
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """A copy of the source with the toy, built and installed into its folder `installed`."""
    if not any(map(shutil.which, ("cc", "gcc", "clang"))):
        pytest.skip("no C compiler")
    if shutil.which("git") is None:
        pytest.skip("no git, to apply the patch")
    for module in ("mesonpy", "Cython", "ninja"):
        pytest.importorskip(module, reason=f"{module} is not installed: nothing to build with")
    copy = tmp_path_factory.mktemp("copy") / "source"
    shutil.copytree(ROOT, copy, ignore=IGNORED)
    succeed("git", "apply", PATCH, cwd=copy)
    succeed(sys.executable, "src/public_api.py", cwd=copy)
    succeed(
        *(sys.executable, "-m", "pip", "install", "-q", "--no-build-isolation", "--no-deps"),
        *("--target", copy / "installed", ".", "-Csetup-args=-Dwerror=true"),
        cwd=copy,
    )
    return copy


def pytest_in(tree, *arguments):
    """-P: else the folder's own gelu_ufunc, which is not built, would be found first."""
    command = (sys.executable, "-P", "-m", "pytest", "-q", "-x", *arguments)
    return run(*command, cwd=tree, PYTHONPATH=str(tree / "installed"))


def test_the_patch_is_what_the_page_tells():
    """It touches the files that the page's steps name, and no other."""
    page = (ROOT / "docs" / "contributing.md").read_text()
    steps = page.partition("## A function, step by step")[2].partition("(a-toy)=")[0]
    touched = re.findall(r"^\+\+\+ b/(\S+)$", PATCH.read_text(), re.MULTILINE)
    assert len(touched) == 11
    for file in touched:
        name = file.replace("toy", "silu")
        assert f"`{name}`" in steps or f"`{pathlib.Path(name).name}`" in steps, file


def test_the_toy_passes(tree):
    """Special values, quiet, and accuracy in every dtype and on every level, against ball
    arithmetic; the registry's and the C API's tests of all functions."""
    names = ("accuracy", "special", "quiet", "ufunc", "cases")
    toy = pytest_in(tree, "-k", "toy", *(f"tests/test_{name}.py" for name in names))
    assert toy.returncode == 0, toy.stdout
    passed = int(re.search(r"(\d+) passed", toy.stdout)[1])
    assert passed > 200, toy.stdout
    everything = pytest_in(tree, "tests/test_registry.py", "tests/test_c_api.py")
    assert everything.returncode == 0, everything.stdout


@pytest.mark.parametrize("file", STEPS)
def test_a_missing_step_is_named(tree, file):
    undo = ("git", "apply", f"--include={file}")
    succeed(*undo, "--reverse", PATCH, cwd=tree)
    installed = tree / "installed" / file
    if installed.exists():
        shutil.copy(tree / file, installed)
    try:
        done = pytest_in(tree, f"tests/{STEPS[file]}")
    finally:
        succeed(*undo, PATCH, cwd=tree)
        if installed.exists():
            shutil.copy(tree / file, installed)
    assert done.returncode != 0
    assert "toy" in done.stdout
