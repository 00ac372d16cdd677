"""The docstrings of all ufuncs; of those of two numbers, a text for each composition and each row's
example."""

from typing import Any, TypedDict

from gelu_ufunc._docs import docstring, limit_lines, see_also_lines, summary, wrapped


class _Composition(TypedDict):
    summary: str
    definition: str
    first: tuple[str, str]  # name and description of an input
    second: tuple[str, str]
    error: str
    special_values: str
    warnings: str
    origin: str


_PRODUCT_ERROR = """
    The maximum error of the product with the exact {factor}, while that is a normal number (of
    float32 in float16 and bfloat16, which are computed in it and rounded once). Below that, where
    {factor} is known to 1 ULP of a subnormal number, that error times `{other}` comes on top."""
_PRODUCT_WARNINGS = """
    Warnings come from the multiplication alone, as `numpy.multiply` gives them: overflow,
    underflow, and an invalid value for infinity times zero. {factor} gives none, and float16 and
    bfloat16 never report underflow."""

_COMPOSITIONS = {
    "gradient": _Composition(
        summary="Gradient of `{value}` by its input, from that by its output, element-wise.",
        definition="""
            Computes ``grad_output * {function}(x)`` in one pass: the backward step of `{value}`.
            The order of the arguments is that of PyTorch's operators (``gelu_backward(grad_output,
            self)``) and of thinc's (``backprop_gelu(dY, X)``) [1]_.""",
        first=("grad_output", "The gradient of the loss by ``{value}(x)``."),
        second=("x", "The input of the forward step, not its output."),
        error=_PRODUCT_ERROR.format(factor="``{function}(x)``", other="grad_output"),
        special_values="""
            ``{function}`` is 1.0 at inf and -0.0 at -inf, so that there a finite `grad_output`
            gives itself and a zero of the opposite sign, never NaN""",
        warnings=_PRODUCT_WARNINGS.format(factor="``{function}(x)``"),
        origin="PyTorch, aten/src/ATen/native/native_functions.yaml; thinc, thinc/backends/ops.py.",
    ),
    "gate": _Composition(
        summary="Gated linear unit with `{function}`, element-wise.",
        definition="""
            Computes ``{function}(gate) * up`` in one pass. In the words of the paper [1]_, `gate`
            is ``x W`` and `up` is ``x V``; Llama writes ``silu(gate_proj(x)) * up_proj(x)``. If one
            matrix gives both, they are the halves of the last axis, ``h[..., :d]`` and ``h[...,
            d:]``, which take no copy. Look which half is the gate: in diffusers' GEGLU it is the
            second one, ``{name}(h[..., d:], h[..., :d])``.""",
        first=("gate", "The input of `{function}`."),
        second=("up", "What is multiplied by it."),
        error=_PRODUCT_ERROR.format(factor="``{function}(gate)``", other="up"),
        special_values="""
            ``{function}`` is inf at inf and -0.0 at -inf, so that a `gate` of -inf closes: a finite
            `up` gives a zero of the opposite sign""",
        warnings=_PRODUCT_WARNINGS.format(factor="``{function}(gate)``"),
        origin='Noam Shazeer, "GLU Variants Improve Transformer", arXiv:2002.05202, 2020.',
    ),
    "sum": _Composition(
        summary="`{function}` of the sum of an input and a bias, element-wise.",
        definition="""
            Computes ``{function}(x + bias)`` in one pass [1]_, the sum being rounded once, in the
            dtype: the result has the bits of ``{function}(numpy.add(x, bias))``. A `bias` of one
            row is broadcast to all rows of `x`.""",
        first=("x", "Input values."),
        second=("bias", "What is added to them."),
        error="The maximum error, against the exact `{function}` of the rounded sum:",
        special_values="those of `{function}` at the sum; inf - inf gives NaN",
        warnings="""
            Warnings come from the addition alone, as `numpy.add` gives them: overflow, and an
            invalid value for inf - inf. `{function}` gives none.""",
        origin="Megatron-LM, megatron/core/fusions/fused_bias_gelu.py: there the bias comes first, "
        "and the formula is that of `gelu_tanh`.",
    ),
    "swish": _Composition(
        summary="Swish, the sigmoid linear unit with a slope, element-wise.",
        definition="""
            Computes ``x * sigma(beta * x)``, where ``sigma(v) = 1 / (1 + exp(-v))`` [1]_. `silu` is
            the case ``beta = 1``; ``beta = 0`` gives ``x / 2``, and the limits at ``inf`` and
            ``-inf`` are ``max(x, 0)`` and ``min(x, 0)``. The product ``beta * x`` is known
            beyond the dtype's precision, for its error would be multiplied by ``beta * x`` in the
            tail.""",
        first=("x", "Input values."),
        second=("beta", "The slope, often a learned number or one for each channel."),
        error="""
            The maximum error, against the exact function of the rounded `beta`, while ``sigma(beta
            * x)`` is a normal number (of float32 in float16 and bfloat16, which are computed in it
            and rounded once). Below that the error of a subnormal ``sigma``, 1 ULP, times `x`
            comes on top.""",
        special_values="""
            x where ``beta * x`` is inf, a zero of its sign where that is -inf, x / 2 where an
            infinite factor meets 0, NaN where one is NaN""",
        warnings="""
            It gives no floating-point warning, not even under ``numpy.errstate(all="raise")``.""",
        origin="Prajit Ramachandran, Barret Zoph and Quoc V. Le, "
        '"Searching for Activation Functions", arXiv:1710.05941, 2017.',
    ),
}

# The examples: arguments for each composition, the result of each function, the same on all levels.
_ARGUMENTS = {
    "gradient": ("[1, -2, 0.5]", "[-2, 1, 3]"),
    "gate": ("[-2, 2, 3]", "[1, -2, 0.5]"),
    "sum": ("[-2, 1, 3]", "[0.5, -2, 1]"),
    "swish": ("[-2, 1, 3]", "[2, 0, 1.702]"),
}
_RESULTS = {
    "gelu_backward": "array([-0.0852318, -2.166631 ,  0.5059728], dtype=float32)",
    "gelu_tanh_backward": "array([-0.08609926, -2.1659281 ,  0.5057921 ], dtype=float32)",
    "gelu_sigmoid_backward": "array([-0.07381535, -2.1355593 ,  0.51227415], dtype=float32)",
    "silu_backward": "array([-0.09078425, -1.8553411 ,  0.54405206], dtype=float32)",
    "bias_gelu": "array([-0.1002108 , -0.15865526,  3.9998734 ], dtype=float32)",
    "bias_gelu_tanh": "array([-0.10042842, -0.15880801,  3.9999297 ], dtype=float32)",
    "bias_gelu_sigmoid": "array([-0.1083378 , -0.15420423,  3.9955852 ], dtype=float32)",
    "bias_silu": "array([-0.27363828, -0.26894143,  3.928055  ], dtype=float32)",
    "geglu": "array([-0.04550026, -3.9089994 ,  1.4979751 ], dtype=float32)",
    "geglu_tanh": "array([-0.04540231, -3.9091954 ,  1.4981813 ], dtype=float32)",
    "geglu_sigmoid": "array([-0.06434137, -3.8713171 ,  1.4909643 ], dtype=float32)",
    "swiglu": "array([-0.23840584, -3.5231884 ,  1.4288611 ], dtype=float32)",
    "swish": "array([-0.03597242,  0.5       ,  2.9819286 ], dtype=float32)",
}

_TEMPLATE = """\
{summary}

{definition}

Parameters
----------
{first[0]} : array_like
    {first[1]}
{second[0]} : array_like
    {second[1]} The two are broadcast together.
out : ndarray, None, or tuple of ndarray and None, optional
    Where to store the result. It must have a shape that the inputs broadcast to; it may be either
    of them. By default a new array is returned.
where : array_like, optional
    Condition broadcast over the inputs. Where it is True, `out` is set to the result; elsewhere
    `out` keeps its value, which is uninitialised if `out` was not given.
**kwargs
    The other keyword-only arguments of every `numpy.ufunc`.

Returns
-------
y : ndarray or scalar
    The result; a scalar if both inputs are. float16, float32, float64 and, where ml_dtypes is
    installed, bfloat16 give the same type; others are cast first, and two types to a common one, as
    for `numpy.arctan2`.

Raises
------
TypeError
    If an input is complex, longdouble, object, or not numeric.
ValueError
    If the inputs cannot be broadcast together, or not to the shape of `out`.

See Also
--------
{see_also}

Notes
-----
{special_values}

{error}

{accuracy}

{warnings}
The result for an element depends on its inputs alone, not on its position, its neighbours, or the
memory layout.

References
----------
{reference}

Examples
--------
>>> import numpy as np
>>> import gelu_ufunc
>>> {first[0]} = np.array({arguments[0]}, dtype=np.float32)
>>> {second[0]} = np.array({arguments[1]}, dtype=np.float32)
>>> gelu_ufunc.{name}({first[0]}, {second[0]})
{result}
"""


def _value(function: str) -> str:
    return function.removesuffix("_grad")


def _summaries(function: str, rows: list[dict[str, Any]]) -> dict[str, str]:
    """By name, of the rows whose docstring refers to this function."""
    return {
        row["name"]: _COMPOSITIONS[row["composition"]]["summary"].format(
            function=row["function"], value=_value(row["function"])
        )
        for row in rows
        if function in (row["function"], _value(row["function"]))
    }


def _docstring(
    name: str, composition: str, function: str, limits: dict[str, dict[str, float]]
) -> str:
    """The docstring of this row."""
    value = _value(function)

    def filled(text: str, indent: str = "") -> str:
        text = text.format(name=name, function=function, value=value)
        return wrapped(text, indent)

    texts = _COMPOSITIONS[composition]
    related = {other: summary(other) for other in (function, value)}
    return _TEMPLATE.format(
        name=name,
        summary=filled(texts["summary"]),
        definition=filled(texts["definition"]),
        special_values=filled("Special values: " + texts["special_values"].strip() + "."),
        error=filled(texts["error"]),
        warnings=filled(texts["warnings"]),
        reference=filled(".. [1] " + texts["origin"], "   "),
        first=[filled(text) for text in texts["first"]],
        second=[filled(text) for text in texts["second"]],
        see_also=see_also_lines(related),
        accuracy=limit_lines(limits),
        arguments=_ARGUMENTS[composition],
        result=_RESULTS[name],
    )


def docstrings(
    functions: list[dict[str, Any]], compositions: list[dict[str, Any]]
) -> tuple[dict[str, str], dict[str, str]]:
    """By name, of the ufuncs of one number and of those of two; from the rows of the registry."""
    of_one = {
        row["name"]: docstring(**row, compositions=_summaries(row["name"], compositions))
        for row in functions
    }
    return of_one, {row["name"]: _docstring(**row) for row in compositions}
