"""The NumPy dtypes of the registry's types. bfloat16 is that of ml_dtypes, an optional package."""

import importlib
import types
import warnings
from typing import Any

import numpy as np


def ml_dtypes() -> types.ModuleType | None:
    """The package, or None where it is not installed; one that is broken or too old is reported."""
    try:
        module = importlib.import_module("ml_dtypes")
        np.dtype(module.bfloat16)
    except (ImportError, AttributeError) as error:
        if not (isinstance(error, ModuleNotFoundError) and error.name == "ml_dtypes"):
            warnings.warn(
                "gelu_ufunc does without bfloat16, for no ml_dtypes >= 0.4 can be imported: "
                f"{error}",
                RuntimeWarning,
                stacklevel=2,
            )
        return None
    return module


def find(name: str) -> np.dtype[Any] | None:
    """The dtype of this name, or None where what defines it is not installed."""
    module = np if hasattr(np, name) else ml_dtypes()
    return None if module is None else np.dtype(getattr(module, name))
