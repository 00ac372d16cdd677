from typing import Final, TypedDict

import numpy as np

class _Limit(TypedDict):
    ulp: float
    ulp_no_fma: float

class _Function(TypedDict):
    name: str
    limits: dict[str, _Limit]

class _Composition(_Function):
    composition: str
    function: str

class _Level(TypedDict):
    name: str
    available: bool
    has_fma: bool

BUILD: Final[dict[str, str]]
ufuncs: Final[dict[str, np.ufunc]]
capsules: Final[dict[str, object]]

def _registry() -> list[_Function]: ...
def _compositions() -> list[_Composition]: ...
def _levels() -> list[_Level]: ...
def _selected_level() -> str: ...
def _select_level(name: str) -> None: ...
