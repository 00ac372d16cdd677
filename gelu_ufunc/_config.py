"""What to put into a bug report."""

import platform
import sys

import numpy as np

from gelu_ufunc import _core, simd


def show_config() -> None:
    """Print the version, the build, the SIMD levels, Python and NumPy."""
    build = _core.BUILD
    rows = {
        "gelu_ufunc": build["version"],
        "compiler": build["compiler"],
        "flags": build["flags"],
        "SIMD level": simd.level(),
        "available": ", ".join(simd.available()),
        "built": ", ".join(level["name"] for level in _core._levels()),
        "NumPy": np.__version__,
        "Python": sys.version.partition(" ")[0],
        "platform": platform.platform(),
    }
    for name, value in rows.items():
        print(f"{name:<11} {value}")
