"""GELU and its derivatives as NumPy ufuncs.

Beside the ufuncs, each with a docstring of its own:

- `threaded` runs a ufunc on all cores;
- `variants` says which GELU a framework, a config or given numbers mean;
- `simd` and `show_config` tell what runs here;
- `get_include` and `get_library_dir` say where the C header and the C library are.

>>> import numpy as np
>>> import gelu_ufunc
>>> gelu_ufunc.gelu(np.array([-1.0, 0.0, 1.0]))
array([-0.15865525,  0.        ,  0.84134475])
"""

import importlib as _importlib

import numpy as _np

if int(_np.__version__.partition(".")[0]) < 2:
    raise ImportError(
        f"gelu_ufunc needs NumPy 2.0 or newer, and this is NumPy {_np.__version__}: "
        "pip install --upgrade numpy"
    )

try:
    from gelu_ufunc._core import BUILD as _BUILD
    from gelu_ufunc._core import capsules as __pyx_capi__  # noqa: F401 Cython's cimport reads it
    from gelu_ufunc._core import ufuncs as _ufuncs
except ModuleNotFoundError as _error:
    if _error.name != "gelu_ufunc._core":
        raise
    raise ImportError(
        f"gelu_ufunc is not built in this folder ({__path__[0]}), which is its source. "
        "Install it (pip install .), then import it from another folder, "
        "or run pytest, which finds the installed one."
    ) from _error

from gelu_ufunc import simd
from gelu_ufunc._config import show_config
from gelu_ufunc._paths import get_include, get_library_dir

__all__ = [
    "get_include",
    "get_library_dir",
    "show_config",
    "simd",
    "threaded",
    "variants",
    *_ufuncs,
]

__version__ = _BUILD["version"]

gelu = _ufuncs["gelu"]
gelu_grad = _ufuncs["gelu_grad"]
gelu_tanh = _ufuncs["gelu_tanh"]
gelu_tanh_grad = _ufuncs["gelu_tanh_grad"]
gelu_sigmoid = _ufuncs["gelu_sigmoid"]
gelu_sigmoid_grad = _ufuncs["gelu_sigmoid_grad"]
silu = _ufuncs["silu"]
silu_grad = _ufuncs["silu_grad"]
erf = _ufuncs["erf"]

gelu_backward = _ufuncs["gelu_backward"]
gelu_tanh_backward = _ufuncs["gelu_tanh_backward"]
gelu_sigmoid_backward = _ufuncs["gelu_sigmoid_backward"]
silu_backward = _ufuncs["silu_backward"]
bias_gelu = _ufuncs["bias_gelu"]
bias_gelu_tanh = _ufuncs["bias_gelu_tanh"]
bias_gelu_sigmoid = _ufuncs["bias_gelu_sigmoid"]
bias_silu = _ufuncs["bias_silu"]
geglu = _ufuncs["geglu"]
geglu_tanh = _ufuncs["geglu_tanh"]
geglu_sigmoid = _ufuncs["geglu_sigmoid"]
swiglu = _ufuncs["swiglu"]
swish = _ufuncs["swish"]


def __getattr__(name: str) -> object:
    """`threaded` and `variants` are imported when used, so that who does without does not wait."""
    if name == "threaded":
        return _importlib.import_module("gelu_ufunc._threaded").threaded
    if name == "variants":
        return _importlib.import_module("gelu_ufunc.variants")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
