"""The functions of other frameworks agree with the ufuncs as far as docs/agreement.md says."""

import pathlib
import sys
import warnings

import numpy as np
import pytest

from gelu_ufunc import variants

ROOT = pathlib.Path(__file__).parents[1]
sys.path.append(str(ROOT / "bench"))

pytest.importorskip("scipy", reason="bench/ needs it")
agreement = pytest.importorskip("agreement", reason="bench/ is not beside the tests")

# rtol, atol; the document has the same
TOLERANCES = {"float32": ("1e-6", "2e-6"), "float16": ("2e-3", "5e-4")}
MEANINGS = {
    "torch": {
        "F.gelu(x)": "gelu",
        "F.gelu(x, approximate='tanh')": "gelu_tanh",
        "F.silu(x)": "silu",
    },
    "jax": {
        "nn.gelu(x)": "gelu_tanh",
        "nn.gelu(x, approximate=False)": "gelu",
        "nn.silu(x)": "silu",
    },
    "onnxruntime": {
        "Gelu": "gelu",
        "Gelu, approximate='tanh'": "gelu_tanh",
        "com.microsoft Gelu": "gelu",
        "com.microsoft FastGelu": "gelu_tanh",
        "com.microsoft QuickGelu": "gelu_sigmoid",
    },
    "scipy": {"0.5 x (1 + erf(x / √2))": "gelu", "x ndtr(x)": "gelu"},
}
CASES = [(module, label) for module, names in MEANINGS.items() for label in names]


@pytest.fixture(params=CASES, ids=": ".join)
def case(request):
    """(function of the framework, the name that it has here)"""
    module, label = request.param
    pytest.importorskip(module)
    if module == "onnxruntime":
        pytest.importorskip("onnx", reason="it writes the models")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the frameworks' own
        [functions] = [f for (_, name), f in agreement.FRAMEWORKS.items() if name == module]
        return functions()[label], MEANINGS[module][label]


@pytest.mark.parametrize("dtype", TOLERANCES)
def test_agreement(case, dtype):
    function, name = case
    x = agreement.inputs(np.dtype(dtype))[::7]
    with np.errstate(all="ignore"):
        got = function(x)
    if got.dtype != x.dtype:
        pytest.skip(f"it returns {got.dtype}")
    rtol, atol = map(float, TOLERANCES[dtype])
    ours = variants.lookup(name, "gelu_ufunc").ufunc(x)
    np.testing.assert_allclose(got, ours, rtol=rtol, atol=atol)


@pytest.mark.parametrize("dtype", TOLERANCES)
def test_verdict(case, dtype):
    function, name = case
    x = np.linspace(-9, 9, 20000).astype(dtype)
    got = function(x)
    if got.dtype != x.dtype:
        pytest.skip(f"it returns {got.dtype}")
    found = variants.identify(x, got)
    assert found.verdict == name, str(found)


def test_document_has_the_tolerances():
    text = (ROOT / "docs" / "agreement.md").read_text(encoding="utf-8")
    for rtol, atol in TOLERANCES.values():
        assert f"rtol={rtol}, atol={atol}" in text
