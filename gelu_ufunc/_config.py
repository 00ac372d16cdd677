"""What to put into a bug report."""

import platform
import sys

import numpy as np

from gelu_ufunc import _core, _dtypes, simd


def show_config() -> None:
    """Print the version, the build, the SIMD levels, Python, NumPy and what gives bfloat16.

    The command ``gelu-ufunc info`` prints the same.

    See Also
    --------
    simd.level : the SIMD level alone.

    Examples
    --------
    >>> import gelu_ufunc
    >>> gelu_ufunc.show_config()  # doctest: +ELLIPSIS
    gelu_ufunc  ...
    compiler    ...
    """
    build = _core.BUILD
    ml_dtypes = _dtypes.ml_dtypes()
    rows = {
        "gelu_ufunc": build["version"],
        "compiler": build["compiler"],
        "flags": build["flags"],
        "SIMD level": simd.level(),
        "available": ", ".join(simd.available()),
        "built": ", ".join(level["name"] for level in _core._levels()),
        "NumPy": np.__version__,
        "bfloat16": f"ml_dtypes {ml_dtypes.__version__}" if ml_dtypes else "no (needs ml_dtypes)",
        "Python": sys.version.partition(" ")[0],
        "platform": platform.platform(),
    }
    for name, value in rows.items():
        print(f"{name:<11} {value}")
