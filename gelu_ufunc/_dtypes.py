"""The NumPy dtypes of the registry's types. bfloat16 is that of ml_dtypes, an optional package."""

import importlib
import types
import warnings
from typing import Any

import numpy as np


def ml_dtypes() -> types.ModuleType | None:
    """The package, or None where it is not installed; a broken one is reported."""
    try:
        return importlib.import_module("ml_dtypes")
    except ImportError as error:
        if not (isinstance(error, ModuleNotFoundError) and error.name == "ml_dtypes"):
            warnings.warn(
                f"gelu_ufunc does without bfloat16, for ml_dtypes cannot be imported: {error}",
                RuntimeWarning,
                stacklevel=2,
            )
        return None


def find(name: str) -> np.dtype[Any] | None:
    """The dtype of this name, or None where what defines it is not installed."""
    module = np if hasattr(np, name) else ml_dtypes()
    return None if module is None else np.dtype(getattr(module, name))
