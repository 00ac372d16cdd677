"""Which formula each framework computes, and how far it is from it: over all float16 inputs and a
dense sample of float32 and float64. Prints two tables; frameworks that are not installed are left
out."""

import itertools
import os
from functools import partial
from importlib import metadata, util

import numpy as np
import peers
from table_output import as_text, new_parser

from gelu_ufunc import _identify, variants

# Before the frameworks are imported.
ENVIRONMENT = {
    "KERAS_BACKEND": "numpy",
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "JAX_PLATFORMS": "cpu",
    "JAX_ENABLE_X64": "1",  # else float64 becomes float32
}
INTERVALS = (-np.inf, -10, -5, -1, 1, 5, np.inf)


# ---- the frameworks: {label: function of an array}, in each its own way


def torch_functions():
    import torch

    functional = torch.nn.functional

    def run(function, **options):
        return lambda x: function(torch.from_numpy(x), **options).numpy()

    return {
        "F.gelu(x)": run(functional.gelu),
        "F.gelu(x, approximate='tanh')": run(functional.gelu, approximate="tanh"),
        "F.silu(x)": run(functional.silu),
    }


def tensorflow_functions():
    import tensorflow as tf

    def run(function, **options):
        return lambda x: function(tf.constant(x), **options).numpy()

    return {
        "tf.nn.gelu(x)": run(tf.nn.gelu),
        "tf.nn.gelu(x, approximate=True)": run(tf.nn.gelu, approximate=True),
        "tf.nn.silu(x)": run(tf.nn.silu),
    }


def keras_functions():
    import keras

    def run(function, **options):
        return lambda x: np.asarray(function(x, **options))

    return {
        "activations.gelu(x)": run(keras.activations.gelu),
        "activations.gelu(x, approximate=True)": run(keras.activations.gelu, approximate=True),
        "ops.gelu(x)": run(keras.ops.gelu),
        "ops.gelu(x, approximate=False)": run(keras.ops.gelu, approximate=False),
        "ops.silu(x)": run(keras.ops.silu),
    }


def jax_functions():
    import jax

    def run(function, **options):
        return lambda x: np.asarray(function(jax.numpy.asarray(x), **options))

    return {
        "nn.gelu(x)": run(jax.nn.gelu),
        "nn.gelu(x, approximate=False)": run(jax.nn.gelu, approximate=False),
        "nn.silu(x)": run(jax.nn.silu),
    }


def bound(bind):
    """A function of an array from one of bench/peers.py's forms."""

    def run(x):
        out = np.empty_like(x)
        result = bind(x, out)()
        return out if result is None else np.asarray(result)

    return run


def onnxruntime_functions():
    import onnxruntime
    from onnx import helper

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4  # what it cannot do, it raises too

    def run(operator, domain="com.microsoft", **attributes):
        def call(x):
            kind = helper.np_dtype_to_tensor_dtype(x.dtype)
            model = peers.onnx_model(operator, domain, kind, {"x": x.shape}, attributes)
            session = onnxruntime.InferenceSession(model, options, ["CPUExecutionProvider"])
            return session.run(None, {"x": x})[0]

        return call

    return {
        "Gelu": run("Gelu", ""),
        "Gelu, approximate='tanh'": run("Gelu", "", approximate="tanh"),
        "com.microsoft Gelu": run("Gelu"),
        "com.microsoft FastGelu": run("FastGelu"),
        "com.microsoft QuickGelu": run("QuickGelu"),
    }


def openvino_functions():
    forms = peers.openvino_forms()
    names = {
        "Gelu": "gelu",
        "Gelu, approximation_mode='tanh'": "gelu_tanh",
        "Swish, beta=1.702": "gelu_sigmoid",
        "Swish": "silu",
    }
    return {label: bound(forms["openvino", name]) for label, name in names.items()}


def ggml_functions():
    forms = peers.ggml_forms()
    names = {"GELU": "gelu_tanh", "GELU_ERF": "gelu", "GELU_QUICK": "gelu_sigmoid", "SILU": "silu"}
    return {label: bound(forms["ggml", name]) for label, name in names.items()}


def scipy_functions():
    from scipy.special import erf, ndtr

    def one_plus_erf(x):
        half, root = x.dtype.type(0.5), x.dtype.type(np.sqrt(0.5))
        return half * x * (1 + erf(x * root))

    return {"0.5 x (1 + erf(x / √2))": one_plus_erf, "x ndtr(x)": lambda x: x * ndtr(x)}


# by the name of the distribution and of the module
FRAMEWORKS = {
    ("torch", "torch"): torch_functions,
    ("tensorflow_cpu", "tensorflow"): tensorflow_functions,
    ("keras", "keras"): keras_functions,
    ("jax", "jax"): jax_functions,
    ("onnxruntime", "onnxruntime"): onnxruntime_functions,
    ("openvino", "openvino"): openvino_functions,
    ("ggml-python", "ggml"): ggml_functions,
    ("scipy", "scipy"): scipy_functions,
}


# ---- the comparison


def inputs(dtype):
    """Finite; of float16, all there are."""
    if dtype == np.float16:
        x = np.arange(1 << 16).astype(np.uint16).view(np.float16)
        return np.sort(x[np.isfinite(x)])
    rng = np.random.default_rng(1)
    spread = np.ldexp(rng.uniform(1, 2, 100_000), rng.integers(-30, 40, 100_000))
    near = np.arange(-16 * 2**15, 16 * 2**15) / 2**15
    tail = np.arange(-800 * 2**8, -16 * 2**8) / 2**8
    x = np.concatenate([near, tail, spread, -spread]).astype(dtype)
    return np.unique(x)


def variant_of(x, y):
    """The formula, by what is near 0, and its ufunc."""
    found = variants.identify(x[np.abs(x) < 12], y[np.abs(x) < 12])
    name = found.verdict or found.matches[0].variant
    return found, variants.lookup(name, "gelu_ufunc").ufunc


def zero_below(x, y):
    """All results at and below this x are zero."""
    zeros = np.cumprod(y[x < 0] == 0).sum()
    return f"{x[zeros - 1]:.2f}" if zeros else "none"


def at(function, value, dtype):
    """A result for one value among others, as a kernel for arrays gives it."""
    with np.errstate(all="ignore"):
        return str(function(np.full(64, value, dtype)).ravel()[0])


def distances(form, x, y, exact):
    """The largest absolute and ULP difference in each interval."""
    for low, high in itertools.pairwise(INTERVALS):
        where = (x >= low) & (x < high)
        got, want = y[where].astype(np.float64), exact[where]
        if not np.isfinite(got).all():
            yield f"{got[~np.isfinite(got)][0]}"
            continue
        yield f"{np.abs(got - want).max():.1e} / {form.distance(got, want).max():.3g}"


def compare(label, function, dtype, x):
    with np.errstate(all="ignore"):
        y = function(x)
    if y.dtype != dtype:
        raise TypeError(f"it returns {y.dtype}")
    found, ufunc = variant_of(x, y)
    form = _identify._FORMATS[dtype.name]
    exact = form.round(ufunc(x.astype(np.float64)))
    reason = found.reason.removeprefix("It is ").removesuffix(".")
    ends = [at(function, value, dtype) for value in (-np.inf, np.inf, np.nan)]
    equal = f"{np.mean(y == exact):.1%}"
    tail = f"{zero_below(x, y)} ({zero_below(x, exact)})"
    return [label, reason, equal, tail, *ends], [label, *distances(form, x, y, exact)]


def rows(dtype):
    """The rows of both tables, and what was left out."""
    x = inputs(dtype)
    results, notes, versions = [], {}, []
    for (distribution, module), functions in FRAMEWORKS.items():
        if util.find_spec(module) is None:
            notes[f"{module} is not installed"] = []
            continue
        versions.append(f"{module} {metadata.version(distribution)}")
        for label, function in functions().items():
            try:
                results.append(compare(f"{module} `{label}`", function, dtype, x))
            except Exception as error:  # each has a class of its own for what it cannot do
                if dtype == "float32":  # which all of them can do
                    raise
                reason = str(error).strip().splitlines()[0][:90]
                notes.setdefault(f"{module}: {reason}", []).append(f"`{label}`")
    return results, notes, versions


def headings():
    ends = ["x < -10", *(f"{a}…{b}" for a, b in itertools.pairwise(INTERVALS[1:-1]))]
    return ["function", *ends, "x ≥ 5"]


def main():
    parser = new_parser(__doc__)
    parser.add_argument("--dtype", choices=["float16", "float32", "float64"], default="float32")
    options = parser.parse_args()
    os.environ |= ENVIRONMENT
    results, notes, versions = rows(np.dtype(options.dtype))
    table = partial(as_text, options=options, disable_numparse=True)
    ends = ["at -inf", "at inf", "at NaN"]
    first = ["function", "agrees with", "equal", "zero below (right)", *ends]
    print(table([row for row, _ in results], first))
    print("\nLargest absolute difference / largest difference in ULP, by interval of x:\n")
    print(table([row for _, row in results], headings()))
    print(f"\n{', '.join(versions)}.")
    if notes:
        print("\nLeft out:\n")
        for reason, labels in notes.items():
            print(f"- {reason}", f"({', '.join(labels)})" if labels else "")


if __name__ == "__main__":
    main()
