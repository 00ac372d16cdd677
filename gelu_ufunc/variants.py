"""Which GELU is it? The word means three formulas, and a model that is trained with one and served
with another loses accuracy.

`lookup` says what a framework's name means, `from_config` what the fields of a Hugging Face
config.json mean, and `identify` which formula made given numbers.
"""

import dataclasses
import json
import math
import os
import pathlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from gelu_ufunc._core import ufuncs
from gelu_ufunc._frameworks import ALIASES, CLIPPED, CONFIG_FIELDS, ROWS, SCALED, TRAPS, Row
from gelu_ufunc._identify import Identification, Match, identify

__all__ = ["Identification", "Match", "Variant", "from_config", "identify", "lookup"]

_FORMULAS = {
    "gelu": "x Phi(x) = x erfc(-x / sqrt(2)) / 2",
    "gelu_tanh": "x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2",
    "gelu_sigmoid": "x sigmoid(1.702 x)",
    "silu": "x sigmoid(x)",
}


@dataclasses.dataclass(frozen=True)
class Variant:
    """One formula, and the functions of this package that compute it.

    Attributes
    ----------
    name : str
        What it is called here: ``"gelu"``, ``"gelu_tanh"``, ``"gelu_sigmoid"``, ``"silu"``,
        ``"swish"`` (SiLU of a scaled `x`) or ``"gelu_10"`` (clipped).
    formula : str
        For the eye: ``"x sigmoid(x)"``.
    ufunc : callable
        Computes it for an array: a ufunc of this package or, if the formula is none of theirs, a
        function made of them.
    derivative : callable
        Computes its derivative.
    notes : str
        How it was found, and what is known of it there.
    """

    name: str
    formula: str
    ufunc: Callable[..., Any]
    derivative: Callable[..., Any]
    notes: str = ""


# ---- the formulas


def _clipped(x: Any) -> Any:
    return ufuncs["gelu"](x).clip(-10, 10)


def _clipped_grad(x: Any) -> Any:
    return ufuncs["gelu_grad"](x) * (ufuncs["gelu"](x) <= 10)


@dataclasses.dataclass(frozen=True)
class _Swish:
    scale: float

    @np.errstate(all="ignore")  # the scale may be beyond float16's range
    def __call__(self, x: Any) -> Any:
        return ufuncs["swish"](x, self.scale)


@dataclasses.dataclass(frozen=True)
class _SwishGrad:
    scale: float

    @np.errstate(all="ignore")  # a product beyond the dtype's range is far in a tail
    def __call__(self, x: Any) -> Any:
        return ufuncs["silu_grad"](np.multiply(x, self.scale))


def _variant(name: str) -> Variant:
    if name == CLIPPED:
        formula = f"{_FORMULAS['gelu']}, clipped to [-10, 10]"
        return Variant(name, formula, _clipped, _clipped_grad)
    return Variant(name, _FORMULAS[name], ufuncs[name], ufuncs[f"{name}_grad"])


_SCALES = {1.0: "silu", 1.702: "gelu_sigmoid"}


def _with_scale(option: str, given: Any) -> Variant:
    """A scale of NumPy's types is a named one if it is that as the type has it."""
    try:
        scale = math.nan if isinstance(given, str | bytes) else float(given)
    except (TypeError, ValueError, OverflowError):
        scale = math.nan
    if not math.isfinite(scale) or scale == 0:
        raise ValueError(f"{option} must be a finite number other than 0, not {given!r}")
    kind = type(given) if isinstance(given, np.floating) else float
    for named, name in _SCALES.items():
        if kind(named) == scale:
            return _variant(name)
    return Variant(SCALED, f"x sigmoid({scale!r} x)", _Swish(scale), _SwishGrad(scale))


# ---- from names to formulas


def _key(value: object) -> object:
    return value.casefold() if isinstance(value, str) else value


def _begins(name: str, beginning: str) -> bool:
    return f"{name}.".startswith(f"{beginning}.")


def _of(framework: str) -> Sequence[Row]:
    """The rows of a framework, which may be given more or less exactly than in the table."""
    wanted = framework.casefold()
    alias = next((alias for alias in ALIASES if _begins(wanted, alias)), "")
    wanted = ALIASES.get(alias, "") + wanted.removeprefix(alias)
    return [row for row in ROWS if _begins(row.framework, wanted) or _begins(wanted, row.framework)]


def _rows(name: str, framework: str | None) -> list[Row]:
    """The rows with this name."""
    of_framework = ROWS if framework is None else _of(framework)
    if not of_framework:
        raise KeyError(f"unknown framework {framework!r}{_near(framework, _frameworks())}")
    found = [row for row in of_framework if name.casefold() in row.names]
    if not found:
        known = {known for row in of_framework for known in row.names}
        where = f" in {framework}" if framework else ""
        raise KeyError(f"unknown activation {name!r}{where}{_near(name, known)}")
    return found


def _frameworks() -> set[str]:
    return {row.framework for row in ROWS} | set(ALIASES)


def _near(name: str | None, known: set[str]) -> str:
    import difflib  # of use in an error only

    near = difflib.get_close_matches(str(name).casefold(), sorted(known), n=4, cutoff=0.5)
    return f"; near it: {', '.join(near)}" if near else f"; known: {', '.join(sorted(known))}"


def _meanings(row: Row, options: dict[str, object]) -> Iterator[Variant]:
    """What a row means with these options: several formulas if it takes an option without default
    that is not given, none if it does not take such an option or value.
    """
    value = options.get(row.option, row.default)
    if set(options) - {row.option}:
        return
    if row.formulas == SCALED:
        yield _with_scale(row.option, value)
    elif isinstance(row.formulas, str):
        yield _variant(row.formulas)
    else:
        for accepted, name in row.formulas.items():
            if value is None or _key(value) == _key(accepted):
                yield _variant(name)


def _call(row: Row, name: str, options: dict[str, object]) -> str:
    """The call as it is meant."""
    if not row.option:
        return f"{row.framework}: {name}"
    text = f"{row.framework}: {name}, {row.option}="
    if row.option in options:
        return f"{text}{options[row.option]!r}"
    return f"{text}{row.default!r} by default" if row.default is not None else f"{text}?"


def _accepted(row: Row) -> str:
    if not row.option:
        return f"{row.framework} takes no option"
    values = "any number" if row.formulas == SCALED else " or ".join(map(repr, row.formulas))
    return f"{row.framework} takes {row.option}={values}"


def _remarks(rows: list[Row]) -> list[str]:
    """Each with its framework if there are several."""
    return [
        f"{row.framework}: {row.notes}" if len(rows) > 1 else row.notes for row in rows if row.notes
    ]


def lookup(name: str, framework: str | None = None, **options: object) -> Variant:
    """Return the formula that a name means.

    Parameters
    ----------
    name : str
        What the framework calls the function, in any letter case. A dotted name such as
        ``"jax.nn.gelu"`` tells the framework too.
    framework : str, optional
        torch, tensorflow, keras, keras.ops, jax, onnx, huggingface, … If it is not given, the name
        must mean the same in all of them.
    **options
        The option that chooses the formula, as the framework has it: ``approximate="tanh"``,
        ``alpha=1.702``.

    Returns
    -------
    variant : Variant
        A frozen record: `name`, `formula`, `ufunc`, `derivative`, `notes`.

    Raises
    ------
    KeyError
        If the name or the framework is unknown; the message has those near it.
    ValueError
        If the name means several formulas, which the message lists, or if an option is not one that
        the function takes.
    TypeError
        If the name or the framework is no string.

    Examples
    --------
    >>> from gelu_ufunc import variants
    >>> variants.lookup("gelu", framework="jax").name
    'gelu_tanh'
    >>> variants.lookup("Gelu", framework="onnx", approximate="tanh").formula
    'x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2'
    >>> variants.lookup("quick_gelu").ufunc(1.0)
    np.float64(0.8457957659328212)
    >>> variants.lookup("gelu_10").ufunc(12.0)
    np.float64(10.0)
    """
    for argument, value in (("name", name), ("framework", "" if framework is None else framework)):
        if not isinstance(value, str):
            raise TypeError(f"{argument} must be a string, not {type(value).__name__}")
    if framework is None and "." in name:
        framework, _, name = name.rpartition(".")
    rows = _rows(name, framework)
    meant: dict[str, tuple[Variant, list[Row]]] = {}
    for row in rows:
        for variant in _meanings(row, options):
            meant.setdefault(variant.formula, (variant, []))[1].append(row)
    if not meant:
        given = ", ".join(f"{option}={value!r}" for option, value in options.items())
        raise ValueError(f"{name} with {given}: {'; '.join(map(_accepted, rows))}")
    if len(meant) > 1:
        lines = (
            f"\n  {variant.name}: {'; '.join(_call(row, name, options) for row in found)}"
            for variant, found in meant.values()
        )
        raise ValueError(f"{name!r} means different formulas. Tell which:{''.join(lines)}")
    [(variant, found)] = meant.values()
    notes = "; ".join(dict.fromkeys(_call(row, name, options) for row in found))
    return dataclasses.replace(variant, notes=" ".join([f"{notes}.", *_remarks(found)]))


# ---- config.json


def _fields(config: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, str, str, str]]:
    """(path, field, value, model type) of each activation, those of nested configs included; one
    that is null is left out.
    """
    model_type = str(config.get("model_type", ""))
    for key, value in config.items():
        if isinstance(value, Mapping):
            yield from _fields(value, f"{path}{key}.")
        elif key in CONFIG_FIELDS and value is not None:
            if not isinstance(value, str):
                raise ValueError(f"{path}{key} is {value!r}, not a string")
            yield path, key, value, model_type


def _explain(path: str, field: str, value: str, model_type: str) -> Variant:
    for trap in TRAPS:
        if (trap.field, trap.value) == (field, value) and trap.model_type in ("", model_type):
            variant = lookup(trap.means, "huggingface")
            return dataclasses.replace(variant, notes=f"{trap.why} {variant.notes}")
    try:
        return lookup(value.removeprefix("gated-"), "huggingface")
    except KeyError as error:
        raise KeyError(f"{path}{field}: {error.args[0]}") from error


def _read(file: str | os.PathLike[str]) -> Mapping[str, Any]:
    if not isinstance(file, str | os.PathLike):
        raise TypeError(f"config must be a dict or a path, not {type(file).__name__}")
    path = pathlib.Path(file)
    try:
        config = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path} is not JSON: {error}") from error
    if not isinstance(config, Mapping):
        raise ValueError(f"{path} holds no JSON object")
    return config


def from_config(config: Mapping[str, Any] | str | os.PathLike[str]) -> dict[str, Variant]:
    """Explain the activation fields of a Hugging Face config.json.

    Parameters
    ----------
    config : dict or path
        The config, or the file that holds it.

    Returns
    -------
    variants : dict
        By field, ``"hidden_act"`` or ``"vision_config.hidden_act"``, the formula to compute: what
        the value says. Where it is another one, or other code differs, `notes` tells why.

    Raises
    ------
    KeyError
        If a value is none of the formulas known here.
    ValueError
        If the config has no activation field, one null being none, if such a field holds something
        else than a string, if the config is nested too deeply, or if the file holds no config.
    TypeError
        If `config` is neither a dict nor a path.
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> from gelu_ufunc import variants
    >>> gemma = {"model_type": "gemma", "hidden_act": "gelu", "hidden_activation": None}
    >>> variants.from_config(gemma)["hidden_act"].name
    'gelu_tanh'
    """
    try:
        fields = list(_fields(config if isinstance(config, Mapping) else _read(config)))
    except RecursionError as error:
        raise ValueError("the config is nested too deeply") from error
    if not fields:
        raise ValueError(f"no activation field in the config: none of {', '.join(CONFIG_FIELDS)}")
    return {f"{path}{field}": _explain(path, field, *rest) for path, field, *rest in fields}
