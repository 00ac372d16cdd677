"""Who runs, and on which data: shared by test_speed.py and compare.py."""

import math
from functools import partial
from importlib import resources

import numpy as np
from scipy.special import erf

import gelu_ufunc
from gelu_ufunc import _core, _dtypes

FUNCTIONS = {row["name"]: getattr(gelu_ufunc, row["name"]) for row in _core._registry()}
LIMITS = _core._registry()[0]["limits"]
DTYPES = [name for name in LIMITS if _dtypes.find(name) is not None]
SIZES = {
    "64": 64,
    "1K": 1 << 10,
    "4K": 1 << 12,
    "128K": 1 << 17,
    "4M": 1 << 22,
    "16M": 1 << 24,
    "64M": 1 << 26,
}

# ---- the references


def scipy_form(x, out):
    """What is written where there is SciPy and no GELU. It cancels for negative x."""
    np.multiply(0.5 * x, 1 + erf(x / math.sqrt(2)), out=out)


def tanh_form(x, out):
    """As found in NumPy code, but with a product where a power would cost ten times as much."""
    u = math.sqrt(2 / math.pi) * (x + 0.044715 * (x * x * x))
    np.multiply(0.5 * x, 1 + np.tanh(u), out=out)


REFERENCES = {
    "np.negative": np.negative,
    "np.tanh": np.tanh,
    "SciPy: x(1+erf)/2": scipy_form,
}
FORMS = {"gelu_tanh": {"NumPy: x(1+tanh)/2": tanh_form}}  # of one function alone


def contestants(names, x, out):
    """Calls of the functions of these names, after all that they are compared with."""
    forms = {label: form for name in names for label, form in FORMS.get(name, {}).items()}
    functions = {**REFERENCES, **forms, **{name: FUNCTIONS[name] for name in names}}
    calls = {label: partial(function, x, out) for label, function in functions.items()}
    return {"np.copyto": partial(np.copyto, out, x), **calls}


# ---- the data


def real(rng, size):
    """Activations that a sentence encoder (MiniLM) hands to its GELU."""
    file = resources.files("gelu_ufunc") / "data" / "minilm_preactivations.npy"
    with file.open("rb") as stream:
        return np.resize(rng.permutation(np.load(stream).ravel()), size)


DISTRIBUTIONS = {
    "real": real,
    "N(0,1)": lambda rng, size: rng.normal(0, 1, size),
    "N(0,3)": lambda rng, size: rng.normal(0, 3, size),
    # Every element takes the path that ordinary ones seldom do.
    "tail": lambda rng, size: rng.uniform(-13, -6, size),
}


def arrays(distribution, size, dtype):
    """(x, out), the same ones each time; a distribution or its name."""
    distribution = DISTRIBUTIONS.get(distribution, distribution)
    x = distribution(np.random.default_rng(1), size).astype(dtype)
    return x, np.empty_like(x)


# ---- data of one function alone: every element takes a path that ordinary ones seldom do


def where_falls_to(function, size, dtype):
    """The x < 0 from which on |function(x)| < size; the functions' tails fall."""
    near, far = dtype(-4), dtype(-1000)
    while (middle := (near + far) / 2) not in (near, far):
        if abs(function(middle)) < size:
            far = middle
        else:
            near = middle
    return far


def rare(name, dtype):
    """Wholly in the negative tail, beyond the tables; where results are subnormal; subnormal x."""
    dtype = np.dtype(dtype).type
    function, tiny, least = (
        FUNCTIONS[name],
        np.finfo(dtype).tiny,
        np.finfo(dtype).smallest_subnormal,
    )

    def uniform(low, high):
        return lambda rng, size: rng.uniform(low, high, size)

    if name == "erf":  # -1 in the tail, by the same path as all else
        data = {"tail": uniform(-13, -6)}
    else:
        begin, tail, end = (where_falls_to(function, y, dtype) for y in (1e-17, tiny, least))
        data = {"tail": uniform(tail, begin), "subnormal f(x)": uniform(end, tail)}
    return {**data, "subnormal x": lambda rng, size: rng.uniform(-1, 0, size) * tiny}
