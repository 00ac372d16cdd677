"""The examples inside frameworks: right values and derivatives, and what they say of bad input."""

import importlib.util
import json
import math
import os
import subprocess
import sys

import numpy as np
import pytest
import reference
from formulas import FORMULAS, SQRT_2_OVER_PI, evaluate
from helpers import EXAMPLES, load_example

X = np.array([[-6.0, -2.7, -1.0, -0.0], [0.3, 1.0, 2.7, 6.0]])


def values(name, x):
    return evaluate(FORMULAS[name], x)


def slopes(name, x, step=1e-5):
    """By differences."""
    return (values(name, x + step) - values(name, x - step)) / (2 * step)


# ---- PyTorch


@pytest.fixture(scope="module")
def torch():
    return pytest.importorskip("torch")


NAMES = {"none": "gelu", "tanh": "gelu_tanh", "sigmoid": "gelu_sigmoid"}


@pytest.mark.parametrize("approximate", NAMES)
def test_torch_values(torch, approximate):
    module = load_example("torch_module").GELU(approximate)
    for dtype, rtol in ((torch.float64, 1e-14), (torch.float32, 2e-7), (torch.float16, 1e-3)):
        x = torch.tensor(X, dtype=dtype)
        y = module(x)
        assert y.dtype == dtype
        # What float16 makes of X, and its subnormal results, are allowed for.
        atol = 6e-8 if dtype == torch.float16 else 0
        want = values(NAMES[approximate], x.double().numpy())
        np.testing.assert_allclose(y.double().numpy(), want, rtol=rtol, atol=atol)


@pytest.mark.parametrize("approximate", NAMES)
def test_torch_gradcheck(torch, approximate):
    module = load_example("torch_module").GELU(approximate)
    x = torch.tensor(X, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(module, (x,))
    [gradient] = torch.autograd.grad(module(x), x, 2 * torch.ones_like(x))
    np.testing.assert_allclose(gradient, 2 * slopes(NAMES[approximate], X), atol=1e-9)


def test_torch_bfloat16(torch):
    pytest.importorskip("ml_dtypes")
    x = torch.linspace(-6, 6, 1001).to(torch.bfloat16).requires_grad_()
    y = load_example("torch_module").GELU()(x)
    y.sum().backward()
    assert y.dtype == x.grad.dtype == torch.bfloat16
    exact = torch.tensor(values("gelu", x.detach().double().numpy()))
    difference = (y.detach().double() - exact).abs()
    assert (difference <= 2.0**-8 * exact.abs()).all()


def test_torch_views_and_memory(torch):
    """Every second column, transposed; nothing is written to the input."""
    module = load_example("torch_module").GELU()
    base = torch.randn(8, 6, dtype=torch.float64)
    kept = base.clone()
    np.testing.assert_allclose(module(base[:, ::2].T), values("gelu", kept[:, ::2].T), rtol=1e-14)
    assert torch.equal(base, kept)
    example = load_example("torch_module")
    array = example.as_array(base)
    assert array.ctypes.data == base.data_ptr()


def test_torch_bad_argument(torch):
    with pytest.raises(ValueError, match=r"'erf'.*none, tanh, sigmoid"):
        load_example("torch_module").GELU("erf")


# ---- HIPS autograd


@pytest.mark.parametrize("name", FORMULAS)
def test_autograd(name):
    autograd = pytest.importorskip("autograd")
    function = getattr(load_example("autograd_hips"), name)
    np.testing.assert_allclose(function(X), values(name, X), rtol=1e-14)
    gradient = autograd.grad(lambda x: (3 * function(x)).sum())(X)
    np.testing.assert_allclose(gradient, 3 * slopes(name, X), atol=1e-9)


# ---- Keras: a process of its own for each backend, because it cannot be changed

KERAS = """
import json, sys
import keras
import numpy as np
sys.path.insert(0, sys.argv[1])
from keras_layer import Gelu
x = np.array(json.loads(sys.argv[2]))
for name in sys.argv[3:]:
    model = keras.Sequential([keras.Input((4,), dtype="float64"), Gelu(name, dtype="float64")])
    model = keras.Sequential.from_config(model.get_config())
    results = [np.asarray(model(x)).tolist()]
    if keras.backend.backend() == "tensorflow":
        import tensorflow as tf
        value = tf.constant(x)
        with tf.GradientTape() as tape:
            tape.watch(value)
            total = tf.reduce_sum(3 * model(value))
        results.append(tape.gradient(total, value).numpy().tolist())
    print(json.dumps(results))
"""


def run_keras(backend, *names):
    for package in ("keras", backend):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"{package} is not installed")
    if not EXAMPLES.exists():
        pytest.skip("examples/ is not beside the tests")
    return subprocess.run(
        [sys.executable, "-P", "-c", KERAS, str(EXAMPLES), str(X.tolist()), *names],
        env={**os.environ, "KERAS_BACKEND": backend, "TF_CPP_MIN_LOG_LEVEL": "3"},
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize("backend", ["numpy", "tensorflow"])
def test_keras(backend):
    run = run_keras(backend, *FORMULAS)
    assert run.returncode == 0, run.stderr
    for name, line in zip(FORMULAS, run.stdout.splitlines(), strict=True):
        got, *gradient = json.loads(line)
        np.testing.assert_allclose(got, values(name, X), rtol=1e-14)
        assert len(gradient) == (backend == "tensorflow")
        for each in gradient:
            np.testing.assert_allclose(each, 3 * slopes(name, X), atol=1e-9)


def test_keras_bad_argument():
    run = run_keras("numpy", "mish")
    assert run.returncode != 0
    assert "ValueError: gelu_ufunc has no activation 'mish'" in run.stderr


# ---- GPT-2 style NumPy


def test_gpt2():
    example = load_example("gpt2_numpy")
    weights = example.random_weights(16)
    x = np.random.default_rng(2).normal(0, 1, (5, 16)).astype(np.float32)
    got = example.feed_forward(x, **weights)
    inner = x.astype(float) @ weights["c_fc"]["w"] + weights["c_fc"]["b"]
    want = values("gelu_tanh", inner) @ weights["c_proj"]["w"] + weights["c_proj"]["b"]
    np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-5)
    assert got.dtype == np.float32
    usual = example.feed_forward(x, **weights, gelu=example.gelu_of_the_ports)
    assert usual.dtype == np.float64
    np.testing.assert_allclose(got, usual, rtol=1e-5, atol=1e-5)


# ---- ONNX


@pytest.fixture(scope="module")
def onnx():
    return pytest.importorskip("onnx")


@pytest.mark.parametrize("approximate", ["none", "tanh"])
def test_onnx_reference(onnx, approximate):
    example = load_example("onnx_reference")
    model = example.model(approximate)
    x = np.linspace(-6, 6, 1001).astype(np.float32)
    sessions = [example.ReferenceEvaluator(model, new_ops=[example.Gelu])]
    sessions += [example.ReferenceEvaluator(model)]
    got, usual = (session.run(None, {"x": x})[0] for session in sessions)
    assert got.dtype == np.float32
    np.testing.assert_allclose(got, values(NAMES[approximate], x), rtol=2e-7)
    np.testing.assert_allclose(got, usual, rtol=1e-6, atol=1e-6)


def scalar_graph(onnx, steps, kind="FLOAT", opset=17, domain=""):
    """A model of steps (operator, inputs, output): numbers among the inputs become initializers."""
    helper, kind = onnx.helper, getattr(onnx.TensorProto, kind)
    nodes, constants = [], []
    for operator, inputs, output, attributes in steps:
        names = []
        for value in inputs:
            if isinstance(value, float):
                name = f"c{len(constants)}"
                constants.append(helper.make_tensor(name, kind, [], [value]))
                value = name
            names.append(value)
        special = operator in ("FastGelu", "QuickGelu", "BiasGelu")
        nodes.append(
            helper.make_node(
                operator, names, [output], domain=domain if special else "", **attributes
            )
        )
    ends = [helper.make_tensor_value_info(name, kind, ["n", 4]) for name in "xy"]
    graph = helper.make_graph(nodes, "g", ends[:1], ends[1:], constants)
    opsets = [helper.make_opsetid("", opset), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=10)


def erf_steps():
    return [
        ("Mul", ["x", 2.0], "h", {}),
        ("Div", ["h", math.sqrt(2)], "a", {}),
        ("Erf", ["a"], "b", {}),
        ("Add", ["b", 1.0], "c", {}),
        ("Mul", ["h", "c"], "d", {}),
        ("Mul", ["d", 0.5], "e", {}),
        ("Mul", ["e", "x"], "y", {}),  # a gate behind it
    ]


def tanh_steps(factor=SQRT_2_OVER_PI, cubic=0.044715):
    return [
        ("Mul", ["x", "x"], "a", {}),
        ("Mul", ["a", "x"], "b", {}),
        ("Mul", ["b", cubic], "c", {}),
        ("Add", ["x", "c"], "d", {}),
        ("Mul", ["d", factor], "e", {}),
        ("Tanh", ["e"], "f", {}),
        ("Add", ["f", 1.0], "g", {}),
        ("Mul", ["x", 0.5], "h", {}),
        ("Mul", ["h", "g"], "y", {}),
    ]


def sigmoid_steps(scale):
    return [
        ("Mul", ["x", scale], "a", {}),
        ("Sigmoid", ["a"], "b", {}),
        ("Mul", ["x", "b"], "y", {}),
    ]


WRONG = "gelu_tanh with 0.44715 for 0.044715"
GRAPHS = {
    "erf": (erf_steps(), "gelu", "1.414"),
    "tanh": (tanh_steps(), "gelu_tanh", "0.0447"),
    "rounded": (tanh_steps(factor=0.797885), "gelu_tanh", "0.797885"),
    "wrong": (tanh_steps(cubic=0.44715), WRONG, "0.447"),
    "sigmoid": (sigmoid_steps(1.702), "gelu_sigmoid", "1.70"),
    "silu": ([("Sigmoid", ["x"], "a", {}), ("Mul", ["x", "a"], "y", {})], "silu", ""),
    "unknown": (tanh_steps(cubic=0.3), "unknown", "No part"),
    "Gelu": ([("Gelu", ["x"], "y", {})], "gelu", "approximate='none'"),
    "Gelu tanh": ([("Gelu", ["x"], "y", {"approximate": "tanh"})], "gelu_tanh", "'tanh'"),
    "FastGelu": ([("FastGelu", ["x"], "y", {})], "gelu_tanh", "com.microsoft"),
    "QuickGelu": ([("QuickGelu", ["x"], "y", {})], "gelu_sigmoid", "1.702"),
    "QuickGelu alpha": ([("QuickGelu", ["x"], "y", {"alpha": 1.0})], "silu", "alpha"),
}


@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("kind", ["FLOAT", "FLOAT16", "DOUBLE"])
def test_inspect_onnx(onnx, name, kind):
    steps, formula, remark = GRAPHS[name]
    model = scalar_graph(onnx, steps, kind, opset=20, domain="com.microsoft")
    [(label, found, notes)] = load_example("inspect_onnx").activations(model)
    assert found == formula
    assert kind == "FLOAT16" or remark in notes  # float16 hides a rounded constant
    assert label.split()[0] in {operator for operator, *_ in steps}


EXPORT = """
import sys, torch
for approximate in ("none", "tanh"):
    for opset in (17, 20):
        gelu = torch.nn.GELU(approximate=approximate)
        model = torch.nn.Sequential(torch.nn.Linear(4, 8), gelu).eval()
        path = f"{approximate}-{opset}.onnx"
        torch.onnx.export(model, (torch.zeros(2, 4),), path, dynamo=True, opset_version=opset)
"""


def test_inspect_torch_exports(onnx, torch, tmp_path):
    pytest.importorskip("onnxscript", reason="torch exports by it")
    run = subprocess.run(  # what it prints and warns of is its own
        [sys.executable, "-P", "-W", "ignore", "-c", EXPORT],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )
    assert run.returncode == 0, run.stderr
    activations = load_example("inspect_onnx").activations
    for path in sorted(tmp_path.glob("*.onnx")):
        [(label, found, _)] = activations(onnx.load(path))
        approximate, opset = path.stem.split("-")
        assert found == NAMES[approximate]
        assert label.startswith("Gelu") == (opset == "20")
    assert len(list(tmp_path.glob("*.onnx"))) == 4


def run_inspect(*arguments):
    return subprocess.run(
        [sys.executable, str(EXAMPLES / "inspect_onnx.py"), *map(str, arguments)],
        capture_output=True,
        text=True,
    )


def test_inspect_command(onnx, tmp_path):
    path = tmp_path / "model.onnx"
    onnx.save(scalar_graph(onnx, tanh_steps()), path)
    assert "gelu_tanh" in run_inspect(path).stdout
    assert run_inspect(path, "--expect", "gelu_tanh").returncode == 0
    run = run_inspect(path, "--expect", "gelu")
    assert run.returncode == 1
    assert "expected gelu, found gelu_tanh" in run.stderr


@pytest.mark.parametrize("content", [None, b"text", b"\x08"], ids=str)
def test_inspect_bad_file(onnx, content, tmp_path):
    path = tmp_path / "model.onnx"
    if content is not None:
        path.write_bytes(content)
    run = run_inspect(path)
    assert run.returncode == 2
    assert run.stdout == ""
    assert str(path) in run.stderr
    assert "Traceback" not in run.stderr


# ---- the math module alone


@pytest.mark.parametrize("name", FORMULAS)
def test_pure_python(name):
    example = load_example("pure_python")
    for x in (*X.ravel().tolist(), -15.0, 0.01):
        value, slope = example.evaluate(x, name)
        assert value == pytest.approx(values(name, x).item(), rel=1e-14)
        assert slope == pytest.approx(slopes(name, x).item(), abs=1e-9)


@pytest.mark.parametrize("name", FORMULAS)
def test_pure_python_errors(name):
    """They are as its docstring says."""
    example = load_example("pure_python")
    x = np.linspace(-37, 8, 1001)
    value, slope = np.array([example.evaluate(each, name) for each in x.tolist()]).T
    exact, exact_slope = reference.evaluate(name, x), reference.evaluate(f"{name}_grad", x)
    assert (exact.error(value) <= np.where(x < -1, 2000, 3)).all()
    near = np.abs(slope - exact_slope.rounded) <= 1e-15
    assert (near | (x < -2)).all()
    assert (exact_slope.error(slope)[x < -2] <= 2000).all()


@pytest.mark.parametrize("name", FORMULAS)
def test_pure_python_far_out(name):
    """No OverflowError and no NaN; beyond the range of float64 the tail is zero."""
    example = load_example("pure_python")
    for x in (-1.7e308, -1e200, -1e4, -800.0):
        value, slope = example.evaluate(x, name)
        assert abs(value) < 1e-300
        assert abs(slope) < 1e-300
    for x in (1e4, 1e200, 1.7e308):
        assert example.evaluate(x, name) == (x, 1.0)


def run_pure_python(*arguments):
    return subprocess.run(
        [sys.executable, load_example("pure_python").__file__, *arguments],
        capture_output=True,
        text=True,
    )


def test_pure_python_command():
    run = run_pure_python("-2.7", "silu")
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines()[0].endswith(" -2.7")
    for x in ("nan", "inf", "1e400"):
        run = run_pure_python(x)
        assert run.returncode == 2
        assert f"x must be finite, not {float(x)}" in run.stderr
        assert run.stdout == ""


def test_explain(capsys):
    example = load_example("pure_python")
    example.explain(-2.7, "gelu_tanh")
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 7
    assert lines[1].endswith(repr(SQRT_2_OVER_PI * (-2.7 + 0.044715 * -2.7 * -2.7 * -2.7)))
    with pytest.raises(ValueError, match="'relu' is none of gelu, "):
        example.explain(1.0, "relu")


# ---- each says what it gains, by a measurement that runs


@pytest.mark.parametrize(
    ("name", "package"),
    [
        ("torch_module", "torch"),
        ("onnx_reference", "onnx"),
        ("autograd_hips", "autograd"),
        ("gpt2_numpy", "numpy"),
    ],
)
def test_measurement(name, package, capsys):
    pytest.importorskip(package)
    load_example(name).main()
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    assert all(" ms" in line for line in lines)
