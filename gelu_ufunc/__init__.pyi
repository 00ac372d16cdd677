from typing import (
    Any,
    Final,
    Literal,
    TypedDict,
    TypeVar,
    Unpack,
    overload,
    type_check_only,
)

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from gelu_ufunc import simd as simd
from gelu_ufunc import variants as variants
from gelu_ufunc._config import show_config as show_config
from gelu_ufunc._paths import get_include as get_include
from gelu_ufunc._paths import get_library_dir as get_library_dir
from gelu_ufunc._threaded import threaded as threaded

_FloatT = TypeVar("_FloatT", np.float16, np.float32, np.float64)
_ArrayT = TypeVar("_ArrayT", bound=NDArray[Any])

@type_check_only
class _Keywords(TypedDict, total=False):
    where: ArrayLike
    casting: Literal["no", "equiv", "safe", "same_kind", "unsafe"]
    order: Literal["K", "A", "C", "F"]
    subok: bool

# What `dtype` or `signature` lead to is not known; `out` is returned, whatever they say.
@type_check_only
class _ChosenKeywords(_Keywords, total=False):
    dtype: DTypeLike | None

@type_check_only
class _UnaryKeywords(_ChosenKeywords, total=False):
    signature: str | tuple[DTypeLike | None, DTypeLike | None] | None

@type_check_only
class _BinaryKeywords(_ChosenKeywords, total=False):
    signature: str | tuple[DTypeLike | None, DTypeLike | None, DTypeLike | None] | None

@type_check_only
class _UnaryUFunc(np.ufunc):  # type: ignore[misc]
    @property
    def nin(self) -> Literal[1]: ...
    @property
    def nout(self) -> Literal[1]: ...
    @property
    def nargs(self) -> Literal[2]: ...
    @property
    def identity(self) -> None: ...
    @property
    def signature(self) -> None: ...
    @overload
    def __call__(self, x: _FloatT, /, out: None = None, **kwargs: Unpack[_Keywords]) -> _FloatT: ...
    @overload
    def __call__(self, x: bool, /, out: None = None, **kwargs: Unpack[_Keywords]) -> np.float16: ...
    @overload
    def __call__(
        self, x: float, /, out: None = None, **kwargs: Unpack[_Keywords]
    ) -> np.float64: ...
    @overload
    def __call__(
        self, x: NDArray[_FloatT], /, out: None = None, **kwargs: Unpack[_Keywords]
    ) -> NDArray[_FloatT]: ...
    @overload
    def __call__(  # type: ignore[overload-overlap]
        self,
        x: NDArray[np.bool | np.int8 | np.uint8],
        /,
        out: None = None,
        **kwargs: Unpack[_Keywords],
    ) -> NDArray[np.float16]: ...
    @overload
    def __call__(  # type: ignore[overload-overlap]
        self, x: NDArray[np.int16 | np.uint16], /, out: None = None, **kwargs: Unpack[_Keywords]
    ) -> NDArray[np.float32]: ...
    @overload
    def __call__(
        self,
        x: NDArray[np.int32 | np.uint32 | np.int64 | np.uint64],
        /,
        out: None = None,
        **kwargs: Unpack[_Keywords],
    ) -> NDArray[np.float64]: ...
    @overload
    def __call__(
        self, x: ArrayLike, /, out: _ArrayT | tuple[_ArrayT], **kwargs: Unpack[_UnaryKeywords]
    ) -> _ArrayT: ...
    @overload
    def __call__(self, x: Any, /, out: Any = None, **kwargs: Unpack[_UnaryKeywords]) -> Any: ...
    def at(self, a: NDArray[Any], indices: ArrayLike, /) -> None: ...  # type: ignore[override]

@type_check_only
class _BinaryUFunc(np.ufunc):  # type: ignore[misc]
    @property
    def nin(self) -> Literal[2]: ...
    @property
    def nout(self) -> Literal[1]: ...
    @property
    def nargs(self) -> Literal[3]: ...
    @property
    def identity(self) -> None: ...
    @property
    def signature(self) -> None: ...
    # float64 is a float to Python's types; NumPy lets it decide, as it does not a float.
    @overload
    def __call__(  # type: ignore[overload-overlap]
        self,
        x1: np.float16 | np.float32,
        x2: np.float64,
        /,
        out: None = None,
        **kwargs: Unpack[_Keywords],
    ) -> np.float64: ...
    @overload
    def __call__(
        self, x1: _FloatT, x2: _FloatT | float, /, out: None = None, **kwargs: Unpack[_Keywords]
    ) -> _FloatT: ...
    @overload
    def __call__(
        self, x1: bool, x2: bool, /, out: None = None, **kwargs: Unpack[_Keywords]
    ) -> np.float16: ...
    @overload
    def __call__(
        self, x1: float, x2: float, /, out: None = None, **kwargs: Unpack[_Keywords]
    ) -> np.float64: ...
    @overload
    def __call__(  # type: ignore[overload-overlap]
        self,
        x1: NDArray[np.float16 | np.float32],
        x2: np.float64,
        /,
        out: None = None,
        **kwargs: Unpack[_Keywords],
    ) -> NDArray[np.float64]: ...
    @overload
    def __call__(
        self,
        x1: NDArray[_FloatT],
        x2: NDArray[_FloatT] | _FloatT | float,
        /,
        out: None = None,
        **kwargs: Unpack[_Keywords],
    ) -> NDArray[_FloatT]: ...
    @overload
    def __call__(
        self,
        x1: ArrayLike,
        x2: ArrayLike,
        /,
        out: _ArrayT | tuple[_ArrayT],
        **kwargs: Unpack[_BinaryKeywords],
    ) -> _ArrayT: ...
    @overload
    def __call__(
        self, x1: Any, x2: Any, /, out: Any = None, **kwargs: Unpack[_BinaryKeywords]
    ) -> Any: ...

__version__: Final[str]
__pyx_capi__: Final[dict[str, object]]

def __dir__() -> list[str]: ...

gelu: Final[_UnaryUFunc]
gelu_grad: Final[_UnaryUFunc]
gelu_tanh: Final[_UnaryUFunc]
gelu_tanh_grad: Final[_UnaryUFunc]
gelu_sigmoid: Final[_UnaryUFunc]
gelu_sigmoid_grad: Final[_UnaryUFunc]
silu: Final[_UnaryUFunc]
silu_grad: Final[_UnaryUFunc]
erf: Final[_UnaryUFunc]

gelu_backward: Final[_BinaryUFunc]
gelu_tanh_backward: Final[_BinaryUFunc]
gelu_sigmoid_backward: Final[_BinaryUFunc]
silu_backward: Final[_BinaryUFunc]
bias_gelu: Final[_BinaryUFunc]
bias_gelu_tanh: Final[_BinaryUFunc]
bias_gelu_sigmoid: Final[_BinaryUFunc]
bias_silu: Final[_BinaryUFunc]
geglu: Final[_BinaryUFunc]
geglu_tanh: Final[_BinaryUFunc]
geglu_sigmoid: Final[_BinaryUFunc]
swiglu: Final[_BinaryUFunc]
swish: Final[_BinaryUFunc]
