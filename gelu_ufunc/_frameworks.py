"""What frameworks call these functions: the table behind `gelu_ufunc.variants`."""

from collections.abc import Mapping
from typing import NamedTuple

_E, _T, _Q, _SILU, _E10 = "gelu", "gelu_tanh", "gelu_sigmoid", "silu", "gelu_10"
SCALED = "swish"  # x * sigmoid(a * x), where the option holds a


class Row(NamedTuple):
    """The formulas of one function of a framework, by the value of its option if it has one."""

    framework: str  # of several with a common beginning, the beginning names them all
    names: tuple[str, ...]
    formulas: Mapping[object, str] | str
    option: str = ""
    default: object = None  # None: the option must be given
    notes: str = ""


_FLAG: Mapping[object, str] = {False: _E, True: _T}
_WORD: Mapping[object, str] = {"none": _E, "tanh": _T}
_APPROXIMATE = "approximate"
_ONE_PLUS_ERF = "Computed as 1 + erf, which loses the negative tail."

ROWS = (
    Row("gelu_ufunc", (_E,), _E),
    Row("gelu_ufunc", (_T,), _T),
    Row("gelu_ufunc", (_Q,), _Q),
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
    Row("mxnet", ("gelu",), _E, notes="Builds with oneDNN once computed gelu_tanh by this name."),
    Row("mxnet", ("gelu_tanh",), _T),
    Row("onnx", ("gelu",), _WORD, _APPROXIMATE, "none", "From opset 20 on."),
    Row("onnx", ("swish",), SCALED, "alpha", 1.0, "From opset 24 on."),
    Row("com.microsoft", ("gelu",), _E),
    Row("com.microsoft", ("biasgelu",), _E, notes="x is the sum of the two inputs."),
    Row("com.microsoft", ("fastgelu",), _T, notes="x is the input plus the bias, if there is one."),
    Row("com.microsoft", ("quickgelu",), SCALED, "alpha", 1.702),
    Row("openvino", ("gelu",), {"erf": _E, "tanh": _T}, "approximation_mode", "erf"),
    Row("tflite", ("gelu",), _FLAG, _APPROXIMATE, notes="The converter chooses."),
    Row("onednn", ("gelu_erf",), _E),
    Row("onednn", ("gelu_tanh",), _T),
    Row("onednn", ("gelu",), _T, notes="An old alias."),
    Row(
        "coreml",
        ("gelu",),
        {"EXACT": _E, "TANH_APPROXIMATION": _T, "SIGMOID_APPROXIMATION": _Q},
        "mode",
        "EXACT",
    ),
    Row("ggml", ("gelu",), _T, notes="float32 is served from a table of float16."),
    Row("ggml", ("gelu_erf",), _E),
    Row("ggml", ("gelu_quick",), _Q, notes="float32 is served from a table of float16."),
    Row("mlx", ("gelu",), {"none": _E, "precise": _T, "tanh": _T, "fast": _Q}, "approx", "none"),
    Row("mlx", ("gelu_approx",), _T),
    Row("mlx", ("gelu_fast_approx",), _Q),
    Row("tinygrad", ("gelu",), {"tanh": _T}, _APPROXIMATE, "tanh"),
    Row("tinygrad", ("quick_gelu",), _Q),
    Row("candle", ("gelu",), _T),
    Row("candle", ("gelu_erf",), _E),
    Row("trax", ("gelu",), _E),
    Row("trax", ("fastgelu",), _T),
    Row("ctranslate2.marian", ("gelu",), _Q),
    Row("ctranslate2.opennmt-tf", ("gelu",), _T),
    Row("ctranslate2.opennmt-py", ("gelu",), _E),
    Row("ctranslate2.opennmt-py", ("fast_gelu",), _T),
    Row("fairseq", ("gelu",), _E),
    Row("fairseq", ("gelu_accurate", "gelu_fast"), _T, notes="It is the less accurate of the two."),
    Row("timm", ("gelu",), _E),
    Row("timm", ("gelu_tanh",), _T),
    Row("timm", ("quick_gelu",), _Q),
    Row("huggingface", ("gelu", "gelu_python"), _E),
    Row("huggingface", ("gelu_10",), _E10, notes="Meant for quantised models."),
    Row(
        "huggingface",
        ("gelu_new", "gelu_fast", "gelu_accurate", "gelu_pytorch_tanh", "gelu_python_tanh"),
        _T,
    ),
    Row("huggingface", ("quick_gelu",), _Q),
    Row("huggingface", ("silu", "swish"), _SILU),
)

# Other names of the frameworks.
ALIASES = {
    "pytorch": "torch",
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
    """A value that the code of a model reads in its own way; "" stands for every model."""

    model_type: str
    field: str
    value: str
    means: str
    why: str


TRAPS = (
    Trap("gemma", "hidden_act", "gelu", "gelu_pytorch_tanh",
         "The config of the first Gemma says gelu, but the model was trained with gelu_tanh, and "
         "its code ignores the field."),
    Trap("", "feed_forward_proj", "gated-gelu", "gelu_new",
         "The T5 family reads gated-gelu as gelu_new, for backwards compatibility."),
    Trap("openai-gpt", "afn", "gelu", "gelu_new", "The code of GPT reads gelu as gelu_new."),
    Trap("xlnet", "ff_activation", "gelu", "gelu_new", "The code of XLNet reads gelu as gelu_new."),
    Trap("bert", "hidden_act", "gelu", "gelu",
         "The original TensorFlow code of BERT computed gelu_tanh."),
)  # fmt: skip
