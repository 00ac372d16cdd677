"""The examples that train, and the one with an array larger than memory: small runs of them."""

import importlib.util
import re
import subprocess
import sys

import numpy as np
import pytest
from helpers import EXAMPLES, load_example

import gelu_ufunc
from gelu_ufunc import gelu


def run(name, *arguments, **options):
    return subprocess.run(
        [sys.executable, "-W", "error", EXAMPLES / f"{name}.py", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=300,
        **options,
    )


def output(name, *arguments, **options):
    done = run(name, *arguments, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


def beside_torch(text):
    """That nothing was left out silently: a figure, or the note."""
    figures = re.findall(r"beside torch's: (\S+) off", text)
    notes = text.count("torch is not installed")
    assert bool(notes) == (importlib.util.find_spec("torch") is None)
    return len(figures) + notes


def needs(*packages):
    for package in packages:
        pytest.importorskip(package)


# ---- the gradients' check


def test_finite_differences():
    check = load_example("gradient_check")
    x = np.linspace(-2, 2, 12).reshape(3, 4)

    def loss():
        return np.sum(x**3)

    assert check.against_finite_differences(loss, [x], [3 * x**2]) < 1e-9
    assert check.against_finite_differences(loss, [x], [3 * x**2 + 0.01]) > 1e-4
    assert np.array_equal(x, np.linspace(-2, 2, 12).reshape(3, 4))


@pytest.mark.parametrize("worst", [2.0, np.nan])
def test_report(worst):
    check = load_example("gradient_check")
    check.report("difference", 0.5, 1)
    with pytest.raises(SystemExit, match="wrong"):
        check.report("difference", worst, 1)


# ---- the gated block


def test_gated_ffn():
    text = output("gated_ffn")
    assert len(re.findall(r"^\w+: gradients beside finite differences", text, re.MULTILINE)) == 4
    assert beside_torch(text) == 4


def test_gated_ffn_without_torch(monkeypatch, capsys):
    example = load_example("gated_ffn")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    example.main(["--kinds", "swiglu"])
    assert "torch is not installed" in capsys.readouterr().out


def test_gated_ffn_finds_a_wrong_gradient(monkeypatch):
    example = load_example("gated_ffn")
    monkeypatch.setattr(gelu_ufunc, "gelu_backward", lambda grad, x: grad)
    with pytest.raises(SystemExit, match="wrong"):
        example.main(["--kinds", "geglu"])


def test_gated_ffn_bad_arguments():
    for arguments in (("--tokens", 0), ("--kinds", "relu")):
        assert run("gated_ffn", *arguments).returncode == 2


# ---- the network


@pytest.mark.parametrize("activation", ["gelu", "gelu_tanh", "gelu_sigmoid", "silu"])
def test_train_mlp(activation, tmp_path):
    needs("sklearn", "tqdm", "matplotlib")
    text = output("train_mlp", "--activation", activation, "--epochs", 4, cwd=tmp_path)
    assert "gradients beside finite differences" in text
    assert beside_torch(text) == 1
    training, test = map(float, re.search(r"loss: ([\d.]+), .* ([\d.]+)", text).groups())
    assert training < 0.5  # of ln 10 = 2.3 for guesses
    assert test < 0.5
    assert float(re.search(r"recognised: ([\d.]+)%", text)[1]) > 85
    assert (tmp_path / "loss.png").read_bytes().startswith(b"\x89PNG")


def test_train_mlp_bad_arguments(tmp_path):
    needs("sklearn", "tqdm", "matplotlib")
    for arguments, message in (
        (("--epochs", 0), "at least 1"),
        (("--epochs", 1, "--output", tmp_path / "none" / "loss.png"), "No such file"),
        (("--epochs", 1, "--output", tmp_path / "loss.xyz"), "xyz"),
    ):
        done = run("train_mlp", *arguments, cwd=tmp_path)
        assert done.returncode == 2
        assert message in done.stderr
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("name", "package"), [("train_mlp", "sklearn.datasets"), ("dask_activation", "dask.array")]
)
def test_missing_package(name, package, monkeypatch, capsys):
    example = load_example(name)
    monkeypatch.setitem(sys.modules, package, None)  # as if not installed
    with pytest.raises(SystemExit, match="2"):
        example.main([])
    error = capsys.readouterr().err
    assert package.partition(".")[0] in error
    assert "README.md" in error


# ---- the array larger than memory

linux = pytest.mark.skipif(sys.platform != "linux", reason="the limit is Linux's")


@linux
def test_dask_activation(tmp_path):
    needs("dask.array", "zarr")
    text = output(
        "dask_activation", "--size", 256, "--memory", 192, "--workers", 1, "--folder", tmp_path
    )
    assert re.search(r"in one piece +MemoryError", text)
    assert 0.4 < float(re.search(r"largest error +([\d.]+) ULP", text)[1]) <= 1
    assert float(re.search(r"peak of resident memory +(\d+) MiB", text)[1]) < 400
    assert not list(tmp_path.iterdir())


@linux
def test_dask_activation_bad_arguments(tmp_path):
    for arguments in (
        ("--size", 0),
        ("--workers", 0),
        ("--memory", 127, "--workers", 2),
        ("--folder", tmp_path / "none"),
    ):
        done = run("dask_activation", *arguments)
        assert done.returncode == 2
        assert "Traceback" not in done.stderr


def test_dask_activation_finds_errors():
    example = load_example("dask_activation")
    x = np.linspace(-9, 9, 10_000, dtype=np.float32).reshape(100, 100)
    y = gelu(x)
    assert 0.4 < example.chunk_error(x, y)[0, 0] <= 1
    assert example.reference(-5.5) == pytest.approx(-1.0444e-07, rel=1e-4)
    y[50, 50] = np.nextafter(y[50, 50], np.float32(9))
    assert example.chunk_error(x, y) == np.inf
