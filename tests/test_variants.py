"""Names, configs and numbers: which formula they mean. Expected values are of the math module."""

import dataclasses
import doctest
import json
import math
import pickle
import re
import tracemalloc

import numpy as np
import pytest
from formulas import FORMULAS, evaluate, gelu, gelu_tanh, scaled
from helpers import ordinary_values

import gelu_ufunc
from gelu_ufunc import variants

POINTS = [-20.0, -6.0, -2.7, -1.0, -0.01, 0.5, 2.25, 9.0, 14.0]


def clipped(x):
    return min(max(gelu(x), -10), 10)


def outputs(function, x, dtype=None):
    """Not by a ufunc of the package; of the dtype of x by default."""
    return evaluate(function, x).astype(dtype or np.asarray(x).dtype)


def close(got, function, x):
    np.testing.assert_allclose(got, outputs(function, np.asarray(x)), rtol=1e-13, atol=0)


# ---- lookup

# framework, name, options, formula: what the frameworks' documentation says.
MEANINGS = [
    ("torch", "gelu", {}, "gelu"),
    ("torch", "GELU", {"approximate": "none"}, "gelu"),
    ("torch.nn.functional", "gelu", {"approximate": "tanh"}, "gelu_tanh"),
    ("torch", "silu", {}, "silu"),
    ("tf.nn", "gelu", {}, "gelu"),
    ("tensorflow", "gelu", {"approximate": True}, "gelu_tanh"),
    ("tensorflow_addons", "gelu", {}, "gelu_tanh"),
    ("tensorflow_addons", "gelu", {"approximate": False}, "gelu"),
    ("keras.activations", "gelu", {}, "gelu"),
    ("keras.ops", "gelu", {}, "gelu_tanh"),
    ("keras", "gelu", {"approximate": True}, "gelu_tanh"),
    ("tf.keras.ops", "gelu", {}, "gelu_tanh"),
    ("tensorflow.keras.activations", "gelu", {}, "gelu"),
    (None, "tf.keras.ops.gelu", {}, "gelu_tanh"),
    ("jax", "gelu", {}, "gelu_tanh"),
    ("jax.nn", "gelu", {"approximate": False}, "gelu"),
    ("flax", "gelu", {}, "gelu_tanh"),
    ("paddle", "gelu", {}, "gelu"),
    ("paddle", "gelu", {"approximate": True}, "gelu_tanh"),
    ("paddle", "gelu", {"approximate": "tanh"}, "gelu_tanh"),
    ("paddle", "gelu", {"approximate": "none"}, "gelu"),
    ("mindspore.ops", "gelu", {}, "gelu"),
    ("mindspore.ops", "gelu", {"approximate": "tanh"}, "gelu_tanh"),
    ("mindspore.nn", "GELU", {}, "gelu_tanh"),
    ("mindspore.nn", "GELU", {"approximate": False}, "gelu"),
    ("mxnet", "gelu", {}, "gelu"),
    ("mxnet", "gelu_tanh", {}, "gelu_tanh"),
    ("onnx", "Gelu", {}, "gelu"),
    ("onnx", "Gelu", {"approximate": "tanh"}, "gelu_tanh"),
    ("onnx", "Swish", {}, "silu"),
    ("onnx", "Swish", {"alpha": 1.702}, "gelu_sigmoid"),
    ("com.microsoft", "Gelu", {}, "gelu"),
    ("com.microsoft", "BiasGelu", {}, "gelu"),
    ("com.microsoft", "FastGelu", {}, "gelu_tanh"),
    ("onnxruntime", "QuickGelu", {}, "gelu_sigmoid"),
    ("onnxruntime", "QuickGelu", {"alpha": 1.0}, "silu"),
    ("openvino", "Gelu", {}, "gelu"),
    ("openvino", "Gelu", {"approximation_mode": "tanh"}, "gelu_tanh"),
    ("tflite", "GELU", {"approximate": False}, "gelu"),
    ("LiteRT", "GELU", {"approximate": True}, "gelu_tanh"),
    ("onednn", "gelu_erf", {}, "gelu"),
    ("onednn", "gelu_tanh", {}, "gelu_tanh"),
    ("onednn", "gelu", {}, "gelu_tanh"),
    ("coreml", "gelu", {}, "gelu"),
    ("coreml", "gelu", {"mode": "TANH_APPROXIMATION"}, "gelu_tanh"),
    ("coreml", "gelu", {"mode": "sigmoid_approximation"}, "gelu_sigmoid"),
    ("ggml", "GELU", {}, "gelu_tanh"),
    ("ggml", "GELU_ERF", {}, "gelu"),
    ("ggml", "GELU_QUICK", {}, "gelu_sigmoid"),
    ("mlx", "gelu", {}, "gelu"),
    ("mlx", "gelu_approx", {}, "gelu_tanh"),
    ("mlx", "gelu_fast_approx", {}, "gelu_sigmoid"),
    ("mlx", "GELU", {"approx": "fast"}, "gelu_sigmoid"),
    ("tinygrad", "gelu", {}, "gelu_tanh"),
    ("tinygrad", "quick_gelu", {}, "gelu_sigmoid"),
    ("candle", "gelu", {}, "gelu_tanh"),
    ("candle", "gelu_erf", {}, "gelu"),
    ("trax", "Gelu", {}, "gelu"),
    ("trax", "FastGelu", {}, "gelu_tanh"),
    ("ctranslate2.marian", "gelu", {}, "gelu_sigmoid"),
    ("ctranslate2.opennmt-tf", "gelu", {}, "gelu_tanh"),
    ("ctranslate2.opennmt-py", "gelu", {}, "gelu"),
    ("ctranslate2.opennmt-py", "fast_gelu", {}, "gelu_tanh"),
    ("fairseq", "gelu", {}, "gelu"),
    ("fairseq", "gelu_accurate", {}, "gelu_tanh"),
    ("fairseq", "gelu_fast", {}, "gelu_tanh"),
    ("timm", "gelu", {}, "gelu"),
    ("timm", "gelu_tanh", {}, "gelu_tanh"),
    ("timm", "quick_gelu", {}, "gelu_sigmoid"),
    ("transformers", "gelu", {}, "gelu"),
    ("huggingface", "gelu_python", {}, "gelu"),
    *(
        ("huggingface", name, {}, "gelu_tanh")
        for name in ("gelu_new", "gelu_fast", "gelu_accurate", "gelu_pytorch_tanh",
                     "gelu_python_tanh")
    ),
    ("huggingface", "quick_gelu", {}, "gelu_sigmoid"),
    ("huggingface", "silu", {}, "silu"),
    ("huggingface", "swish", {}, "silu"),
    (None, "gelu_10", {}, "gelu_10"),
    (None, "quick_gelu", {}, "gelu_sigmoid"),
    (None, "gelu_new", {}, "gelu_tanh"),
    (None, "silu", {}, "silu"),
    (None, "jax.nn.gelu", {}, "gelu_tanh"),
    (None, "keras.activations.gelu", {}, "gelu"),
    (None, "gelu", {"approximate": "tanh"}, "gelu_tanh"),
    (None, "gelu", {"approximate": False}, "gelu"),
]  # fmt: skip


@pytest.mark.parametrize(("framework", "name", "options", "formula"), MEANINGS)
def test_lookup(framework, name, options, formula):
    variant = variants.lookup(name, framework, **options)
    close(variant.ufunc(np.array(POINTS)), {**FORMULAS, "gelu_10": clipped}[formula], POINTS)
    assert name.rpartition(".")[2] in variant.notes
    with pytest.raises(dataclasses.FrozenInstanceError):
        variant.name = "other"


def test_remarks_name_their_framework():
    """If there are several; and each is true whatever the option."""
    notes = variants.lookup("FastGelu").notes
    assert " com.microsoft: x is the input plus the bias, if there is one." in notes
    notes = variants.lookup("gelu", approximate="tanh").notes
    for remark in ("torch: The exact form is computed as 1 + erf", "onnx: From opset 20 on."):
        assert remark in notes
    [_, remark] = variants.lookup("gelu", "torch").notes.split(". ", 1)
    assert remark.startswith("The exact form is computed")


@pytest.mark.parametrize("name", ["gelu", "gelu_tanh", "gelu_sigmoid", "silu"])
def test_lookup_of_our_own_names(name):
    variant = variants.lookup(name, framework="gelu_ufunc")
    assert variant.name == name
    assert variant.ufunc is getattr(gelu_ufunc, name)
    assert variant.derivative is getattr(gelu_ufunc, f"{name}_grad")


@pytest.mark.parametrize(
    "variant",
    [
        variants.lookup("gelu_10"),
        variants.lookup("QuickGelu", "onnxruntime", alpha=2.5),
        variants.lookup("Swish", "onnx", alpha=-0.5),
    ],
    ids=lambda variant: variant.formula,
)
def test_functions_that_are_no_ufuncs(variant):
    """The derivative is that of the function, and both keep float32."""
    x = np.array(POINTS)
    step = 1e-6
    difference = (variant.ufunc(x + step) - variant.ufunc(x - step)) / (2 * step)
    np.testing.assert_allclose(variant.derivative(x), difference, atol=1e-8)
    for function in (variant.ufunc, variant.derivative):
        assert function(x.astype(np.float32)).dtype == np.float32
        assert np.isnan(function(np.nan))


@pytest.mark.parametrize("framework", ["onnx", None])
def test_scaled_sigmoid(framework):
    variant = variants.lookup("Swish", framework, alpha=2.5)
    assert variant.formula == "x sigmoid(2.5 x)"
    close(variant.ufunc(np.array(POINTS)), scaled(2.5), POINTS)


@pytest.mark.parametrize(
    ("alpha", "formula"),
    [
        (np.float32(1.702), "gelu_sigmoid"),
        (np.float16(1.702), "gelu_sigmoid"),
        (np.float64(1.702), "gelu_sigmoid"),
        (np.longdouble(1.702), "gelu_sigmoid"),
        (np.float32(1), "silu"),
        (np.int8(1), "silu"),
        (np.array(1.702), "gelu_sigmoid"),
        (float(np.float32(1.702)), "swish"),
        (np.nextafter(np.float32(1.702), np.float32(2)), "swish"),
        (np.nextafter(1.702, 2), "swish"),
    ],
    ids=repr,
)
def test_scales_of_any_type(alpha, formula):
    """A scale is 1.702 if it is 1.702 as its type has it."""
    variant = variants.lookup("Swish", "onnx", alpha=alpha)
    assert variant.name == formula
    close(
        variant.ufunc(np.array(POINTS)),
        scaled(float(alpha)) if formula == "swish" else FORMULAS[formula],
        POINTS,
    )


@pytest.mark.parametrize(
    "alpha",
    [0, "1", b"1", math.nan, math.inf, 10**400, None, 1j, [1.0], np.float32(0), np.ones(2)],
    ids=lambda alpha: repr(alpha)[:20],
)
def test_what_is_no_scale(alpha):
    message = re.escape(f"alpha must be a finite number other than 0, not {alpha!r}")
    with pytest.raises(ValueError, match=f"^{message}$"):
        variants.lookup("Swish", "onnx", alpha=alpha)


SWISH = [variants.lookup("Swish", "onnx", alpha=alpha) for alpha in (2.0, -0.5)]


@pytest.mark.parametrize("huge", [np.float32(2e38), 1e308], ids=str)
@np.errstate(all="raise")
def test_scaled_sigmoid_of_huge_inputs(huge):
    x = np.array([huge, -huge])
    rising, falling = SWISH
    np.testing.assert_array_equal(rising.ufunc(x), [huge, 0])
    np.testing.assert_array_equal(rising.derivative(x), [1, 0])
    np.testing.assert_array_equal(falling.ufunc(x), [0, -huge])
    np.testing.assert_array_equal(falling.derivative(x), [0, 1])


@np.errstate(all="raise")
def test_scale_beyond_float16():
    steep = variants.lookup("Swish", "onnx", alpha=1e6).ufunc
    np.testing.assert_array_equal(steep(np.array([-1, 0, 1], np.float16)), [0, 0, 1])


def test_scaled_sigmoid_in_the_tail():
    """To an ULP, of the scale as float32 has it."""
    x, scale = np.float32(-40.3), np.float32(1.3)
    got = variants.lookup("Swish", "onnx", alpha=1.3).ufunc(x)
    want = scaled(float(scale))(float(x))
    assert got.dtype == np.float32
    assert abs(float(got) - want) <= np.spacing(np.abs(got))


@pytest.mark.parametrize("variant", [*SWISH, variants.lookup("gelu_10"), variants.lookup("silu")])
def test_variants_are_values(variant):
    """They survive pickling, and equal ones are equal."""
    again = pickle.loads(pickle.dumps(variant))
    assert again == variant
    np.testing.assert_array_equal(again.ufunc(POINTS), variant.ufunc(POINTS))
    np.testing.assert_array_equal(again.derivative(POINTS), variant.derivative(POINTS))


def test_equal_lookups():
    first, second = SWISH
    assert variants.lookup("Swish", "onnx", alpha=2.0) == first != second
    assert hash(variants.lookup("Swish", "onnx", alpha=2.0)) == hash(first)


@pytest.mark.parametrize(
    ("arguments", "options", "parts"),
    [
        (["gelu_nwe"], {}, ["gelu_nwe", "near it", "gelu_new"]),
        (["gelu_new", "torch"], {}, ["gelu_new", "torch", "gelu"]),
        (["gelu", "tensorflaw"], {}, ["tensorflaw", "tensorflow"]),
        (["gelu_new", ""], {}, ["unknown framework ''", "torch"]),
        (["mish"], {}, ["mish", "swish"]),
    ],
    ids=str,
)
def test_lookup_of_the_unknown(arguments, options, parts):
    with pytest.raises(KeyError) as error:
        variants.lookup(*arguments, **options)
    for part in parts:
        assert part in str(error.value)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([3], "name must be a string, not int"),
        ([None], "name must be a string, not NoneType"),
        ([b"gelu", "torch"], "name must be a string, not bytes"),
        (["gelu", 3], "framework must be a string, not int"),
        (["jax.nn.gelu", ["jax"]], "framework must be a string, not list"),
        (["gelu_new", 0], "framework must be a string, not int"),
        (["gelu_new", False], "framework must be a string, not bool"),
        (["gelu_new", []], "framework must be a string, not list"),
        (["gelu_new", b""], "framework must be a string, not bytes"),
    ],
    ids=str,
)
def test_lookup_of_what_is_no_string(arguments, message):
    with pytest.raises(TypeError, match=f"^{message}$"):
        variants.lookup(*arguments)


@pytest.mark.parametrize(
    ("arguments", "options", "parts"),
    [
        (["gelu"], {}, ["gelu_tanh", "jax", "torch", "approximate='none'"]),
        (["gelu", "keras"], {}, ["keras.ops", "keras.activations", "gelu_tanh"]),
        (["gelu", "ctranslate2"], {}, ["gelu_sigmoid", "marian"]),
        (["gelu", "tflite"], {}, ["gelu_tanh", "approximate=?"]),
        (["gelu", "torch"], {"approximate": "erf"}, ["'erf'", "'none' or 'tanh'"]),
        (["gelu", "torch"], {"mode": "tanh"}, ["mode", "approximate"]),
        (["gelu_new", "huggingface"], {"approximate": "tanh"}, ["takes no option"]),
        (["swish", "tensorflow"], {"beta": 0}, ["beta must be a finite number other than 0"]),
    ],
    ids=str,
)
def test_lookup_of_what_is_not_clear(arguments, options, parts):
    with pytest.raises(ValueError) as error:  # noqa: PT011 - the parts are asserted
        variants.lookup(*arguments, **options)
    for part in parts:
        assert part in str(error.value)


# ---- config.json

CONFIGS = [
    ({"model_type": "bert", "hidden_act": "gelu"}, {"hidden_act": "gelu"}),
    ({"model_type": "gpt2", "activation_function": "gelu_new"},
     {"activation_function": "gelu_tanh"}),
    ({"model_type": "gemma", "hidden_act": "gelu", "hidden_activation": None},
     {"hidden_act": "gelu_tanh"}),
    ({"model_type": "gemma2", "hidden_activation": "gelu_pytorch_tanh"},
     {"hidden_activation": "gelu_tanh"}),
    ({"model_type": "t5", "feed_forward_proj": "gated-gelu"}, {"feed_forward_proj": "gelu_tanh"}),
    ({"model_type": "t5", "feed_forward_proj": "gated-silu"}, {"feed_forward_proj": "silu"}),
    ({"model_type": "openai-gpt", "afn": "gelu"}, {"afn": "gelu_tanh"}),
    ({"model_type": "xlnet", "ff_activation": "gelu"}, {"ff_activation": "gelu"}),
    ({"model_type": "llama", "hidden_act": "silu"}, {"hidden_act": "silu"}),
    ({"text_config": {"hidden_act": "quick_gelu"}, "vision_config": {"hidden_act": "gelu"}},
     {"text_config.hidden_act": "gelu_sigmoid", "vision_config.hidden_act": "gelu"}),
]  # fmt: skip


@pytest.mark.parametrize(("config", "names"), CONFIGS, ids=str)
def test_config(config, names, tmp_path):
    found = variants.from_config(config)
    assert {field: variant.name for field, variant in found.items()} == names
    path = tmp_path / "config.json"
    path.write_text(json.dumps(config), encoding="utf-8")
    assert variants.from_config(path) == variants.from_config(str(path)) == found


def test_config_tells_of_the_trap():
    found = variants.from_config({"model_type": "gemma", "hidden_act": "gelu"})
    assert "Gemma" in found["hidden_act"].notes
    assert "2024" in found["hidden_act"].notes
    found = variants.from_config({"model_type": "xlnet", "ff_activation": "gelu"})
    assert "The original TensorFlow code of XLNet" in found["ff_activation"].notes
    plain = variants.from_config({"model_type": "vit", "hidden_act": "gelu"})
    assert "Gemma" not in plain["hidden_act"].notes


@pytest.mark.parametrize("content", ["{", "[]", "{}", '{"hidden_act": null}'])
def test_config_without_activation(content, tmp_path):
    path = tmp_path / "config.json"
    path.write_text(content)
    with pytest.raises(ValueError, match=r"JSON|no activation field"):
        variants.from_config(path)


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"hidden_act": 3}, "hidden_act is 3, not a string"),
        ({"hidden_act": "gelu", "afn": ["gelu"]}, r"afn is \['gelu'\], not a string"),
        ({"vision_config": {"hidden_act": True}}, "vision_config.hidden_act is True, not a string"),
    ],
    ids=str,
)
def test_config_with_an_activation_that_is_no_string(config, message, tmp_path):
    with pytest.raises(ValueError, match=f"^{message}$"):
        variants.from_config(config)
    path = tmp_path / "config.json"
    path.write_text(json.dumps(config), encoding="utf-8")
    with pytest.raises(ValueError, match=f"^{message}$"):
        variants.from_config(path)


@pytest.mark.parametrize("config", [[1], 3, None, b"config.json"], ids=str)
def test_config_that_is_none(config):
    message = f"^config must be a dict or a path, not {type(config).__name__}$"
    with pytest.raises(TypeError, match=message):
        variants.from_config(config)


def test_config_nested_too_deeply(tmp_path):
    depth = 100_000
    path = tmp_path / "config.json"
    path.write_text('{"a": ' * depth + "1" + "}" * depth)
    with pytest.raises(ValueError, match="nested too deeply"):
        variants.from_config(path)
    config = {}
    for _ in range(depth):
        config = {"a": config}
    with pytest.raises(ValueError, match="nested too deeply"):
        variants.from_config(config)


def test_config_with_something_else(tmp_path):
    for config, beginning in (
        ({"activation_function": "relu"}, "activation_function: unknown activation 'relu'"),
        (
            {"backbone_config": {"hidden_act": "gated-mish"}},
            "backbone_config.hidden_act: unknown activation 'mish'",
        ),
    ):
        with pytest.raises(KeyError, match=f"^[\"']{beginning}"):
            variants.from_config(config)
    with pytest.raises(FileNotFoundError):
        variants.from_config(tmp_path / "config.json")


# ---- identify

NAMED = {
    **FORMULAS,
    "relu": lambda x: max(x, 0.0),
    "gelu_tanh with 0.44715 for 0.044715": lambda x: gelu_tanh(x, cubic=0.44715),
    "gelu_tanh with 0.0044715 for 0.044715": lambda x: gelu_tanh(x, cubic=0.0044715),
}
SAMPLE = np.clip(ordinary_values(3000, np.dtype(np.float32)), -8, 8)


def to_bfloat16(values):
    """The bits, rounded to nearest even."""
    bits = values.astype(np.float32).view(np.uint32).astype(np.uint64)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("name", NAMED)
def test_identify(name, dtype):
    x = SAMPLE * np.float64(1 + 1e-9)  # relu's outputs are to fill float64 too
    found = variants.identify(x, outputs(NAMED[name], x, dtype))
    assert found.verdict == name
    assert found.reason == f"It is {name}."
    assert found.format == np.dtype(dtype).name
    assert found.margin > 3
    assert found.samples == SAMPLE.size
    best = found.matches[0]
    assert best.max_ulp <= 1 or dtype == np.float64  # the math module is not correctly rounded
    assert best.max_abs <= 1e-14 or dtype != np.float64
    assert best.exact > 0.9 - 0.5 * (dtype == np.float64)
    assert {match.variant for match in found.matches} >= {"gelu", "gelu_tanh", "silu", "relu"}
    assert found.reason in str(found)


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("kind", ["void", "float32", "float64"])
def test_identify_bfloat16(name, kind):
    """As .npz has it, and in wider arrays."""
    bits = to_bfloat16(outputs(NAMED[name], SAMPLE))
    wide = (bits.astype(np.uint32) << 16).view(np.float32)
    found = variants.identify(SAMPLE, bits.view("V2") if kind == "void" else wide.astype(kind))
    assert (found.verdict, found.format) == (name, "bfloat16")
    assert found.matches[0].exact > 0.99


def test_identify_bfloat16_of_ml_dtypes():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    x = SAMPLE.astype(ml_dtypes.bfloat16)
    found = variants.identify(x, outputs(gelu_tanh, x.astype(float)).astype(ml_dtypes.bfloat16))
    assert (found.verdict, found.format) == ("gelu_tanh", "bfloat16")


def test_figures():
    """Three outputs: right, one number of the format off, and a known distance off."""
    x = np.array([-1.0, 1.0, 2.0], np.float32)
    y = outputs(gelu, x)
    y[1] = np.nextafter(y[1], np.float32(2))
    y[2] += np.float32(2**-10)
    [plain] = [match for match in variants.identify(x, y).matches if match.name == "gelu"]
    assert plain.max_ulp == 2**-10 / 2**-23  # 2.0 > y >= 1.0
    assert plain.max_abs == 2**-10
    assert plain.exact == pytest.approx(1 / 3)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_ulp_distance_over_zero(dtype):
    """Between the smallest numbers of both signs lie two steps."""
    tiny = np.finfo(dtype).smallest_subnormal
    found = variants.identify(np.array([-40.0, 3.0]), np.array([tiny, 3.0], dtype))
    [relu] = [match for match in found.matches if match.name == "relu"]
    assert relu.max_ulp == 1


@pytest.mark.parametrize("noise", [1e-5, 1e-4, 1e-3])
@pytest.mark.parametrize("name", ["gelu", "gelu_tanh", "gelu_sigmoid", "silu"])
def test_identify_under_noise(name, noise):
    rng = np.random.default_rng(5)
    x = rng.normal(0, 2, 20000)
    found = variants.identify(x, outputs(NAMED[name], x) + rng.normal(0, noise, x.size))
    assert found.verdict == name


def test_identify_with_noisy_inputs():
    """A layer's inputs were dumped in float16, the outputs were computed before that."""
    x = np.random.default_rng(6).normal(0, 2, 20000)
    for name in ("gelu", "gelu_tanh"):
        y = outputs(NAMED[name], x, np.float32)
        assert variants.identify(x.astype(np.float16), y).verdict == name


def test_outliers_do_not_decide():
    y = outputs(gelu_tanh, SAMPLE)
    y[::100] += 0.5
    assert variants.identify(SAMPLE, y).verdict == "gelu_tanh"


def one_plus_erf(x):
    working = x.astype(np.float32)
    erf = outputs(lambda v: math.erf(v / math.sqrt(2)), working)
    return working / 2 * (1 + erf)


DETAILS = {
    "gelu, tail lost as by 1 + erf": one_plus_erf,
    "gelu, clipped to [-10, 10]": lambda x: outputs(clipped, 2 * x),
    "gelu_tanh, 0.797885 for sqrt(2/pi)": lambda x: outputs(
        lambda v: gelu_tanh(v, factor=0.797885), x
    ),
    "gelu_tanh, from a table of float16": lambda x: outputs(
        gelu_tanh, x.astype(np.float16).astype(np.float32), np.float16
    ),
    "gelu_sigmoid, 1.7 for 1.702": lambda x: outputs(scaled(1.7), x),
}


@pytest.mark.parametrize("name", DETAILS)
def test_identify_details(name):
    x = SAMPLE * 2 if "clipped" in name else SAMPLE
    found = variants.identify(x, DETAILS[name](SAMPLE))
    assert found.verdict == name.partition(",")[0]
    assert found.reason == f"It is {name}."


def test_flushed_subnormals():
    x = np.linspace(-14.3, 1, 2000).astype(np.float32)
    y = outputs(gelu, x)
    y[np.abs(y) < np.finfo(np.float32).smallest_normal] = 0
    assert variants.identify(x, y).reason == "It is gelu, subnormals flushed."


@pytest.mark.parametrize(
    ("x", "y"),
    [
        ([7.0, 50.0], [7.0, 50.0]),
        ([0.0], [0.0]),
        (np.linspace(-1e-6, 1e-6, 100), np.linspace(-5e-7, 5e-7, 100).astype(np.float16)),
    ],
    ids=["positive", "zero", "near zero"],
)
def test_cannot_tell(x, y):
    found = variants.identify(x, y)
    assert found.verdict is None
    assert found.margin < 3
    assert "Cannot tell" in found.reason


def test_one_sample_many_times():
    """What is left after three digits is no noise and no function of x."""
    found = variants.identify(np.full(100, 1.0), np.full(100, 0.841))
    assert found.verdict is None
    assert "too few" in found.reason


@pytest.mark.parametrize("factor", [1e300, 5e-324])
def test_identify_is_quiet(factor):
    """Warnings are errors here."""
    x = np.linspace(-3, 3, 500)
    assert variants.identify(x, np.full(500, factor)).verdict is None
    assert variants.identify(x, gelu_ufunc.gelu(x) * factor).verdict is None


def test_noise_that_hides_the_difference():
    rng = np.random.default_rng(7)
    found = variants.identify(SAMPLE, outputs(gelu, SAMPLE) + rng.normal(0, 0.01, SAMPLE.size))
    assert found.verdict is None
    assert "gelu_tanh" in found.reason
    assert abs(abs(found.tell_apart) - 2.7) < 0.01 or found.matches[0].variant not in FORMULAS


@pytest.mark.parametrize(
    "function",
    [
        math.tanh,
        math.atan,
        lambda x: x * math.tanh(math.log1p(math.exp(x))),
        lambda x: x if x > 0 else 0.01 * x,
        lambda x: 2 * x,
        lambda x: 1.02 * gelu(x),
        lambda x: gelu(x) + 0.01,
    ],
    ids=["tanh", "atan", "mish", "leaky", "twice", "scaled", "shifted"],
)
def test_another_function(function):
    found = variants.identify(SAMPLE, outputs(function, SAMPLE))
    assert found.verdict is None
    assert "None of these" in found.reason
    few = variants.identify(SAMPLE[:20], outputs(function, SAMPLE[:20]))
    assert few.verdict is None


def test_tell_apart():
    """gelu and gelu_tanh differ most at 2.70 (docs/facts.md); for x < 0 outputs are finer."""
    found = variants.identify(SAMPLE, outputs(gelu, SAMPLE))
    rival = next(match for match in found.matches if match.variant != "gelu")
    assert rival.variant == "gelu_tanh"
    assert found.tell_apart == -2.7


def test_what_is_not_finite_is_left_out():
    x = np.array([np.nan, np.inf, -np.inf, 1.0, -1.0, -2.7, 1e30])
    y = np.array([np.nan, np.inf, np.nan, *outputs(gelu, x[3:6]), np.inf], np.float16)
    found = variants.identify(x, y)
    assert (found.verdict, found.samples) == ("gelu", 3)


@pytest.mark.parametrize("kind", [np.float64, np.float16], ids=lambda kind: kind.__name__)
def test_what_is_masked_is_left_out(kind):
    """In x, in y or in both: what lies under a mask is anything."""
    x = np.ma.masked_equal([[-1.0, 99.0, 1.0], [-2.7, 0.5, 2.0]], 99.0)
    y = outputs(gelu, x.data, kind)
    y[0, 1:] = 77
    y = np.ma.masked_equal(y, 77)
    assert variants.identify(x, y) == variants.identify(x[~y.mask], y.data[~y.mask])
    assert variants.identify(x, y).samples == 4
    y = outputs(gelu, x.data, kind)
    y[0, 1] = 77
    assert variants.identify(x, y).samples == 5
    y = np.ma.masked_equal(y, 77)
    assert variants.identify(x.data, y).samples == 5
    with pytest.raises(ValueError, match="no pair"):
        variants.identify(np.ma.masked_all(3), np.ones(3))


def test_any_shape_and_many_samples():
    x = np.tile(SAMPLE, 40).reshape(40, -1, 10)
    found = variants.identify(x, np.tile(outputs(gelu_tanh, SAMPLE), 40).reshape(x.shape))
    assert found.verdict == "gelu_tanh"
    assert found.samples < x.size


def test_memory_of_many_samples():
    """All but the mask and the places of the finite pairs is of the chosen samples."""
    x = np.linspace(-8, 8, 1 << 22)
    tracemalloc.start()
    gelu_ufunc._identify._pairs(x, x)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2 * x.nbytes


def test_integers():
    x = np.arange(-5, 6)
    assert variants.identify(x, outputs(gelu_tanh, x.astype(float))).verdict == "gelu_tanh"


@pytest.mark.parametrize(
    ("x", "y", "error", "message"),
    [
        ([1.0, 2.0], [1.0], ValueError, r"\(2,\).*\(1,\)"),
        ([], [], ValueError, "no pair"),
        ([np.nan], [1.0], ValueError, "no pair"),
        ([1.0], [1j], TypeError, "y is of dtype complex128"),
        (["a"], [1.0], TypeError, "x is of dtype"),
        ([1.0], [None], TypeError, "y is of dtype object"),
    ],
    ids=str,
)
def test_identify_bad_input(x, y, error, message):
    with pytest.raises(error, match=message):
        variants.identify(x, y)


@pytest.mark.parametrize("module", [variants, gelu_ufunc._identify], ids=lambda m: m.__name__)
def test_examples(module):
    result = doctest.testmod(module)
    assert result.failed == 0
    assert result.attempted >= 5
