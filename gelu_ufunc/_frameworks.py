"""What frameworks call these functions: the table behind `gelu_ufunc.variants`."""

from collections.abc import Mapping
from typing import NamedTuple

_GELU, _TANH, _SIGMOID, _SILU = "gelu", "gelu_tanh", "gelu_sigmoid", "silu"
CLIPPED = "gelu_10"  # gelu, clipped to [-10, 10]
SCALED = "swish"  # x * sigmoid(a * x), where the option holds a


class Row(NamedTuple):
    """The formulas of one function of a framework, by the value of its option if it has one."""

    framework: str  # of several with a common beginning, the beginning names them all
    names: tuple[str, ...]
    formulas: Mapping[object, str] | str
    option: str = ""
    default: object = None  # None: the option must be given
    notes: str = ""


_FLAG: Mapping[object, str] = {False: _GELU, True: _TANH}
_WORD: Mapping[object, str] = {"none": _GELU, "tanh": _TANH}
_APPROXIMATE = "approximate"
_ONE_PLUS_ERF = "The exact form is computed as 1 + erf, which loses the negative tail."

ROWS = (
    Row("gelu_ufunc", (_GELU,), _GELU),
    Row("gelu_ufunc", (_TANH,), _TANH),
    Row("gelu_ufunc", (_SIGMOID,), _SIGMOID),
    Row("gelu_ufunc", (_SILU,), _SILU),
    Row("torch", ("gelu",), _WORD, _APPROXIMATE, "none", _ONE_PLUS_ERF),
    Row("torch", ("silu",), _SILU),
    Row("tensorflow", ("gelu",), _FLAG, _APPROXIMATE, False),
    Row("tensorflow", ("silu", "swish"), SCALED, "beta", 1.0),
    Row("tensorflow_addons", ("gelu",), _FLAG, _APPROXIMATE, True),
    Row("keras.activations", ("gelu",), _FLAG, _APPROXIMATE, False),
    Row("keras.ops", ("gelu",), _FLAG, _APPROXIMATE, True),
    Row("keras", ("silu", "swish"), _SILU),
    Row("jax", ("gelu",), _FLAG, _APPROXIMATE, True),
    Row("jax", ("silu", "swish"), _SILU),
    Row("flax", ("gelu",), _FLAG, _APPROXIMATE, True),
    Row("paddle", ("gelu",), {**_FLAG, **_WORD}, _APPROXIMATE, False),
    Row("mindspore.ops", ("gelu",), _WORD, _APPROXIMATE, "none", "mindspore.nn.GELU is opposite."),
    Row("mindspore.nn", ("gelu",), _FLAG, _APPROXIMATE, True, "mindspore.ops.gelu is opposite."),
    Row(
        "mxnet", ("gelu",), _GELU, notes="Builds with oneDNN once computed gelu_tanh by this name."
    ),
    Row("mxnet", ("gelu_tanh",), _TANH),
    Row("onnx", ("gelu",), _WORD, _APPROXIMATE, "none", "From opset 20 on."),
    Row("onnx", ("swish",), SCALED, "alpha", 1.0, "From opset 24 on."),
    Row("com.microsoft", ("gelu",), _GELU),
    Row("com.microsoft", ("biasgelu",), _GELU, notes="x is the sum of the two inputs."),
    Row(
        "com.microsoft",
        ("fastgelu",),
        _TANH,
        notes="x is the input plus the bias, if there is one.",
    ),
    Row("com.microsoft", ("quickgelu",), SCALED, "alpha", 1.702),
    Row("openvino", ("gelu",), {"erf": _GELU, "tanh": _TANH}, "approximation_mode", "erf"),
    Row("tflite", ("gelu",), _FLAG, _APPROXIMATE, notes="The converter chooses."),
    Row("onednn", ("gelu_erf",), _GELU),
    Row("onednn", ("gelu_tanh",), _TANH),
    Row("onednn", ("gelu",), _TANH, notes="An old alias."),
    Row(
        "coreml",
        ("gelu",),
        {"EXACT": _GELU, "TANH_APPROXIMATION": _TANH, "SIGMOID_APPROXIMATION": _SIGMOID},
        "mode",
        "EXACT",
    ),
    Row("ggml", ("gelu",), _TANH, notes="float32 is served from a table of float16."),
    Row("ggml", ("gelu_erf",), _GELU),
    Row("ggml", ("gelu_quick",), _SIGMOID, notes="float32 is served from a table of float16."),
    Row(
        "mlx",
        ("gelu",),
        {"none": _GELU, "precise": _TANH, "tanh": _TANH, "fast": _SIGMOID},
        "approx",
        "none",
    ),
    Row("mlx", ("gelu_approx",), _TANH),
    Row("mlx", ("gelu_fast_approx",), _SIGMOID),
    Row("tinygrad", ("gelu",), {"tanh": _TANH}, _APPROXIMATE, "tanh"),
    Row("tinygrad", ("quick_gelu",), _SIGMOID),
    Row("candle", ("gelu",), _TANH),
    Row("candle", ("gelu_erf",), _GELU),
    Row("trax", ("gelu",), _GELU),
    Row("trax", ("fastgelu",), _TANH),
    Row("ctranslate2.marian", ("gelu",), _SIGMOID),
    Row("ctranslate2.opennmt-tf", ("gelu",), _TANH),
    Row("ctranslate2.opennmt-py", ("gelu",), _GELU),
    Row("ctranslate2.opennmt-py", ("fast_gelu",), _TANH),
    Row("fairseq", ("gelu",), _GELU),
    Row(
        "fairseq",
        ("gelu_accurate", "gelu_fast"),
        _TANH,
        notes="gelu_accurate is the approximation, in spite of its name.",
    ),
    Row("timm", ("gelu",), _GELU),
    Row("timm", ("gelu_tanh",), _TANH),
    Row("timm", ("quick_gelu",), _SIGMOID),
    Row("huggingface", ("gelu", "gelu_python"), _GELU),
    Row("huggingface", ("gelu_10",), CLIPPED, notes="Meant for quantised models."),
    Row(
        "huggingface",
        ("gelu_new", "gelu_fast", "gelu_accurate", "gelu_pytorch_tanh", "gelu_python_tanh"),
        _TANH,
    ),
    Row("huggingface", ("quick_gelu",), _SIGMOID),
    Row("huggingface", ("silu", "swish"), _SILU),
)

# Other names of the frameworks. The first that fits counts, so the longer one stands first.
ALIASES = {
    "pytorch": "torch",
    "tf.keras": "keras",
    "tensorflow.keras": "keras",
    "tf": "tensorflow",
    "tfa": "tensorflow_addons",
    "transformers": "huggingface",
    "onnxruntime": "com.microsoft",
    "coremltools": "coreml",
    "litert": "tflite",
}

# ---- config.json of Hugging Face

CONFIG_FIELDS = (
    "hidden_act",
    "hidden_activation",
    "activation_function",
    "activation",
    "feed_forward_proj",
    "dense_act_fn",
    "afn",
    "ff_activation",
    "projector_hidden_act",
)


class Trap(NamedTuple):
    """A value that needs a word, and what to compute for it; "" stands for every model."""

    model_type: str
    field: str
    value: str
    means: str
    why: str


TRAPS = (
    Trap("gemma", "hidden_act", "gelu", "gelu_pytorch_tanh",
         "The config of the first Gemma says gelu, but the model was trained with gelu_tanh: the "
         "code of 2024 ignored the field, newer code reads it."),
    Trap("", "feed_forward_proj", "gated-gelu", "gelu_new",
         "The T5 family reads gated-gelu as gelu_new, for backwards compatibility."),
    Trap("openai-gpt", "afn", "gelu", "gelu_new", "The code of GPT reads gelu as gelu_new."),
    Trap("xlnet", "ff_activation", "gelu", "gelu",
         "The original TensorFlow code of XLNet, and the first releases of transformers, computed "
         "gelu_tanh."),
    Trap("bert", "hidden_act", "gelu", "gelu",
         "The original TensorFlow code of BERT computed gelu_tanh."),
)  # fmt: skip
