"""The ufuncs' docstrings: what is particular to each function, and the text they share.

NumPy puts the call signature above a ufunc's docstring by itself.
"""

from textwrap import dedent
from typing import TypedDict


class _Entry(TypedDict):
    summary: str
    definition: str
    special_values: str
    see_also: str
    example: str


_VALUE_AT = "0.0 at 0.0 and -0.0 at -0.0, inf at inf, -0.0 at -inf, NaN at NaN"
_SLOPE_AT = "0.5 at 0.0 and -0.0, 1.0 at inf, -0.0 at -inf, NaN at NaN"

_ENTRIES = {
    "gelu": _Entry(
        summary="Gaussian error linear unit (GELU), element-wise.",
        definition="""
            Computes ``x * Phi(x)``, where ``Phi(x) = erfc(-x / sqrt(2)) / 2`` is the cumulative
            distribution function of the standard normal distribution [1]_. Its minimum is
            -0.169971 at x = -0.75179.""",
        special_values=_VALUE_AT,
        see_also="gelu_grad, gelu_tanh, gelu_sigmoid, erf",
        example="""
            >>> gelu_ufunc.gelu(np.array([-6, -1, 0, 2], dtype=np.float32))
            array([-5.9195258e-09, -1.5865526e-01,  0.0000000e+00,  1.9544997e+00],
                  dtype=float32)""",
    ),
    "gelu_grad": _Entry(
        summary="Derivative of the Gaussian error linear unit (GELU), element-wise.",
        definition="""
            Computes ``Phi(x) + x * phi(x)``, the derivative of `gelu`, where ``Phi`` is the
            cumulative distribution function and ``phi(x) = exp(-x**2 / 2) / sqrt(2 * pi)`` the
            density of the standard normal distribution [1]_. It lies between -0.128904 and
            1.128904, at x = -sqrt(2) and sqrt(2), and is zero at x = -0.75179.""",
        special_values=_SLOPE_AT,
        see_also="gelu, gelu_tanh_grad",
        example="""
            >>> gelu_ufunc.gelu_grad(np.array([-6, -1, 0, 2], dtype=np.float32))
            array([-3.5468709e-08, -8.3315469e-02,  5.0000000e-01,  1.0852318e+00],
                  dtype=float32)""",
    ),
    "gelu_tanh": _Entry(
        summary="Gaussian error linear unit in its tanh approximation, element-wise.",
        definition="""
            Computes ``0.5 * x * (1 + tanh(u))`` with ``u = sqrt(2 / pi) * (x + 0.044715 * x**3)``
            [1]_, though not in that form, which cancels for negative `x`. It differs from `gelu` by
            at most 4.73e-4, at x = -2.70 and 2.70. Its minimum is -0.170041 at x = -0.75246.""",
        special_values=_VALUE_AT,
        see_also="gelu, gelu_tanh_grad",
        example="""
            >>> gelu_ufunc.gelu_tanh(np.array([-6, -1, 0, 2], dtype=np.float32))
            array([-8.4396469e-11, -1.5880801e-01,  0.0000000e+00,  1.9545977e+00],
                  dtype=float32)""",
    ),
    "gelu_tanh_grad": _Entry(
        summary="Derivative of the tanh approximation of GELU, element-wise.",
        definition="""
            Computes ``s + 2 * x * u' * s * (1 - s)``, the derivative of `gelu_tanh` [1]_, with
            ``u = sqrt(2 / pi) * (x + 0.044715 * x**3)``, ``u' = sqrt(2 / pi) * (1 + 0.134145 *
            x**2)`` and ``s = 1 / (1 + exp(-2 * u))``. It is zero at x = -0.75246.""",
        special_values=_SLOPE_AT,
        see_also="gelu_grad, gelu_tanh",
        example="""
            >>> gelu_ufunc.gelu_tanh_grad(np.array([-6, -1, 0, 2], dtype=np.float32))
            array([-7.7099738e-10, -8.2964085e-02,  5.0000000e-01,  1.0860993e+00],
                  dtype=float32)""",
    ),
    "gelu_sigmoid": _Entry(
        summary="Gaussian error linear unit in its sigmoid approximation, element-wise.",
        definition="""
            Computes ``x * sigma(1.702 * x)``, where ``sigma(v) = 1 / (1 + exp(-v))`` [1]_; also
            known as quick GELU. It differs from `gelu` by at most 2.03e-2, at x = -2.27 and 2.27.
            Its minimum is -0.163610 at x = -0.75115.""",
        special_values=_VALUE_AT,
        see_also="gelu, gelu_sigmoid_grad, silu",
        example="""
            >>> gelu_ufunc.gelu_sigmoid(np.array([-6, -1, 0, 2], dtype=np.float32))
            array([-2.2035356e-04, -1.5420423e-01,  0.0000000e+00,  1.9356586e+00],
                  dtype=float32)""",
    ),
    "gelu_sigmoid_grad": _Entry(
        summary="Derivative of the sigmoid approximation of GELU, element-wise.",
        definition="""
            Computes ``s + 1.702 * x * s * (1 - s)``, the derivative of `gelu_sigmoid` [1]_, with
            ``s = 1 / (1 + exp(-1.702 * x))``. It is zero at x = -0.75115.""",
        special_values=_SLOPE_AT,
        see_also="gelu_grad, gelu_sigmoid",
        example="""
            >>> gelu_ufunc.gelu_sigmoid_grad(np.array([-6, -1, 0, 2], dtype=np.float32))
            array([-3.3830237e-04, -6.7779608e-02,  5.0000000e-01,  1.0738153e+00],
                  dtype=float32)""",
    ),
    "silu": _Entry(
        summary="Sigmoid linear unit (SiLU), element-wise.",
        definition="""
            Computes ``x * sigma(x)``, where ``sigma(x) = 1 / (1 + exp(-x))`` [1]_; also known as
            swish. Its minimum is -0.278465 at x = -1.27846.""",
        special_values=_VALUE_AT,
        see_also="gelu_sigmoid, silu_grad",
        example="""
            >>> gelu_ufunc.silu(np.array([-6, -1, 0, 2], dtype=np.float32))
            array([-0.01483574, -0.26894143,  0.        ,  1.7615942 ], dtype=float32)""",
    ),
    "silu_grad": _Entry(
        summary="Derivative of the sigmoid linear unit (SiLU), element-wise.",
        definition="""
            Computes ``s + x * s * (1 - s)``, the derivative of `silu` [1]_, with
            ``s = 1 / (1 + exp(-x))``. It is zero at x = -1.27846.""",
        special_values=_SLOPE_AT,
        see_also="gelu_sigmoid_grad, silu",
        example="""
            >>> gelu_ufunc.silu_grad(np.array([-6, -2, 0, 3], dtype=np.float32))
            array([-0.01232643, -0.09078425,  0.5       ,  1.0881041 ], dtype=float32)""",
    ),
    "erf": _Entry(
        summary="Error function, element-wise.",
        definition="""
            Computes ``erf(x) = 2 / sqrt(pi) * integral of exp(-t**2) from 0 to x``, on which `gelu`
            is built [1]_: ``gelu(x) = x * (1 + erf(x / sqrt(2))) / 2``, though not computed so. The
            result has the sign of `x`: ``erf(-x)`` is ``-erf(x)``, bit for bit.""",
        special_values="0.0 at 0.0 and -0.0 at -0.0, 1.0 at inf, -1.0 at -inf, NaN at NaN",
        see_also="gelu",
        example="""
            >>> gelu_ufunc.erf(np.array([-6, -1, 0, 2], dtype=np.float32))
            array([-1.       , -0.8427008,  0.       ,  0.9953223], dtype=float32)""",
    ),
}

_TEMPLATE = """\
{summary}

{definition}

Parameters
----------
x : array_like
    Input values.
out : ndarray, None, or tuple of ndarray and None, optional
    Where to store the result. It must have a shape that the inputs broadcast to; it may be `x`
    itself. By default a new array is returned.
where : array_like, optional
    Condition broadcast over the input. Where it is True, `out` is set to the result; elsewhere
    `out` keeps its value, which is uninitialised if `out` was not given.
**kwargs
    The other keyword-only arguments of every `numpy.ufunc`.

Returns
-------
y : ndarray or scalar
    The result, of the shape of `x`; a scalar if `x` is one. float16, float32, float64 and,
    where ml_dtypes is installed, bfloat16 give the same type. Others are cast first, as for
    `numpy.exp`: booleans and 8-bit integers to float16, 16-bit integers to float32, wider
    integers and Python numbers to float64; but ml_dtypes' floats of 8 bits and less to float32.
    With ``dtype="f4"`` float16 and bfloat16 give float32, computed from the exact `x`; `out`
    alone does not change the type that is computed in.

Raises
------
TypeError
    If `x` is complex, longdouble, object, or not numeric.

See Also
--------
{see_also}

Notes
-----
Special values: {special_values}.

The maximum error over the whole line, negative tail and subnormal numbers included (ULP: the
distance of neighbouring floating-point numbers at the exact value):

{accuracy}

The function itself gives no floating-point warning, not even under
``numpy.errstate(all="raise")``: that a result in the tail underflows is an ordinary event. The
result for an element depends on that element alone, not on its position, its neighbours, or the
memory layout.

References
----------
.. [1] Dan Hendrycks and Kevin Gimpel, "Gaussian Error Linear Units (GELUs)", arXiv:1606.08415,
   2016.

Examples
--------
>>> import numpy as np
>>> import gelu_ufunc
{example}
"""


def _limit_text(ulp: float, ulp_no_fma: float) -> str:
    text = f"{ulp} ULP"
    if ulp_no_fma == 0.5:
        text += ", correctly rounded"
    if ulp_no_fma != ulp:
        text += f" ({ulp_no_fma} ULP on a processor without fused multiply-add)"
    return text


def limit_lines(limits: dict[str, dict[str, float]]) -> str:
    return "\n".join(f"- {dtype}: {_limit_text(**limits[dtype])}" for dtype in limits)


def summary(name: str) -> str:
    return _ENTRIES[name]["summary"]


def wrapped(text: str, indent: str = "") -> str:
    """In lines of 96 characters; textwrap would take half of the package's import time."""
    rest = " ".join(text.split())
    lines = []
    while len(rest) > 96:
        end = rest.rindex(" ", 0, 97)
        lines.append(rest[:end])
        rest = indent + rest[end + 1 :]
    return "\n".join([*lines, rest])


def see_also_lines(summaries: dict[str, str]) -> str:
    return "\n".join(wrapped(f"{name} : {text}", "    ") for name, text in summaries.items())


def docstring(name: str, limits: dict[str, dict[str, float]], compositions: dict[str, str]) -> str:
    """The docstring of the function `name` with these error limits (see `_core._registry`), and the
    summaries of what is composed of it.
    """
    entry = _ENTRIES[name]
    related = {other: summary(other) for other in entry["see_also"].split(", ")}
    return _TEMPLATE.format(
        summary=entry["summary"],
        definition=wrapped(entry["definition"]),
        special_values=entry["special_values"],
        see_also=see_also_lines(related | compositions),
        accuracy=limit_lines(limits),
        example=dedent(entry["example"]).strip(),
    )
