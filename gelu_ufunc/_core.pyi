from typing import Final, TypedDict

import numpy as np

class _Limit(TypedDict):
    ulp: float
    ulp_no_fma: float
    near_zero: float

class _Function(TypedDict):
    name: str
    limits: dict[str, _Limit]

class _Level(TypedDict):
    name: str
    available: bool
    has_fma: bool

NEAR_ZERO: Final[float]
BUILD: Final[dict[str, str]]
ufuncs: Final[dict[str, np.ufunc]]

def _registry() -> list[_Function]: ...
def _levels() -> list[_Level]: ...
def _selected_level() -> str: ...
def _select_isa(name: str) -> None: ...
