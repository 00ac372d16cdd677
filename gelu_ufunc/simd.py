"""The SIMD level that the ufuncs of this process run on.

It is chosen once, when `gelu_ufunc` is imported: the best one that this CPU and its operating
system can run. The environment variable ``GELU_UFUNC_SIMD`` (baseline, avx2, avx512 or neon, in any
letter case) caps it.
"""

import os
import warnings

from gelu_ufunc import _core

__all__ = ["available", "level"]

_VARIABLE = "GELU_UFUNC_SIMD"


def level() -> str:
    """Return the name of the level in use.

    Examples
    --------
    >>> from gelu_ufunc import simd
    >>> simd.level() in simd.available()
    True
    """
    return _core._selected_level()


def available() -> tuple[str, ...]:
    """Return the names of the levels this machine can run, worst first.

    Examples
    --------
    >>> from gelu_ufunc import simd
    >>> simd.available()[0]
    'baseline'
    """
    return tuple(level["name"] for level in _core._levels() if level["available"])


def _apply_environment() -> None:
    name = os.environ.get(_VARIABLE, "").strip()
    if not name:
        return
    try:
        _core._select_level(name)
    except ValueError as error:
        warnings.warn(
            f"{_VARIABLE} is ignored: {error}. Using {level()}.", RuntimeWarning, stacklevel=2
        )


_apply_environment()
