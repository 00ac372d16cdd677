"""Which formula made these numbers?"""

import dataclasses
import math
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gelu_ufunc._core import ufuncs

_Floats = NDArray[np.float64]

# ---- formats


class _Format(NamedTuple):
    name: str
    digits: int  # of the significand, the hidden one not counted
    low: int  # the exponents of normal numbers
    high: int

    def spacing(self, values: _Floats) -> _Floats:
        """The distance of neighbouring numbers of the format at each value."""
        exponent = np.where(values == 0, self.low, np.frexp(values)[1] - 1)
        clipped = np.clip(exponent, self.low, self.high)
        return np.asarray(np.ldexp(1.0, clipped - self.digits), np.float64)

    def round(self, values: _Floats) -> _Floats:
        """The nearest number of the format, ties to even."""
        spacing = self.spacing(values)
        rounded = np.rint(values / spacing) * spacing
        largest = math.ldexp(2 - 2.0**-self.digits, self.high)
        return np.where(np.abs(rounded) > largest, np.copysign(np.inf, rounded), rounded)

    def distance(self, a: _Floats, b: _Floats) -> _Floats:
        """How many numbers of the format lie from a to b, both of which are such numbers."""
        ranks = [self._rank(values) for values in (a, b)]
        return (np.maximum(*ranks) - np.minimum(*ranks)).astype(np.float64)

    def _rank(self, values: _Floats) -> NDArray[np.uint64]:
        """The place among all numbers of the format; both zeros have the same."""
        spacing = self.spacing(values)
        binade = np.log2(spacing).astype(np.int64) + self.digits - self.low
        magnitude = (binade << self.digits) + (np.abs(values) / spacing).astype(np.int64)
        signed = np.where(values < 0, -magnitude, magnitude)
        return signed.view(np.uint64) + np.uint64(1 << 63)


_BFLOAT16 = _Format("bfloat16", 7, -126, 127)
_FORMATS = {
    each.name: each
    for each in (
        _BFLOAT16,
        _Format("float16", 10, -14, 15),
        _Format("float32", 23, -126, 127),
        _Format("float64", 52, -1022, 1023),
    )
}


def _decode(array: ArrayLike, name: str) -> tuple[_Floats, _Format]:
    """The values in one dimension, and their format."""
    values = np.asarray(array).ravel()
    dtype = values.dtype
    if dtype.name == "bfloat16" or dtype == "V2":  # so .npz files have it without ml_dtypes
        bits = values.view(np.uint16).astype(np.uint32) << 16
        return np.asarray(bits.view(np.float32), np.float64), _BFLOAT16
    if dtype.kind in "iu":
        return values.astype(np.float64), _FORMATS["float64"]
    if dtype.name not in _FORMATS:
        accepted = ", ".join(_FORMATS)
        raise TypeError(f"{name} is of dtype {dtype}; accepted are {accepted} and integers")
    return values.astype(np.float64, copy=False), _FORMATS[dtype.name]


def _narrowest(values: _Floats, given: _Format) -> _Format:
    """The format that the values were rounded to before they were put into a wider one."""
    for narrow in _FORMATS.values():
        wider = given.digits > narrow.digits and given.low <= narrow.low
        if wider and np.array_equal(narrow.round(values), values):
            return narrow
    return given


# ---- what may have made the numbers


def _sigmoid_form(factor: float) -> Callable[[_Floats], _Floats]:
    return lambda x: x / (1 + np.exp(-factor * x))


def _tanh_form(factor: float, cubic: float) -> Callable[[_Floats], _Floats]:
    return lambda x: x / (1 + np.exp(-2 * factor * (x + cubic * x**3)))


def _erf_form(root: float) -> Callable[[_Floats], _Floats]:
    """With this number for sqrt(1/2)."""
    ratio = root / math.sqrt(0.5)
    return lambda x: np.asarray(ufuncs["gelu"](ratio * x) / ratio)


def _one_plus_erf(x: NDArray[Any]) -> NDArray[Any]:
    return np.asarray(x / 2 * (1 + ufuncs["erf"](x * x.dtype.type(math.sqrt(0.5)))))


def _one_plus_tanh(x: NDArray[Any]) -> NDArray[Any]:
    factor = x.dtype.type(math.sqrt(2 / math.pi))
    return np.asarray(x / 2 * (1 + np.tanh(factor * (x + x.dtype.type(0.044715) * x * x * x))))


class _Candidate(NamedTuple):
    variant: str
    function: Callable[[Any], Any]
    detail: str = ""  # in what it differs from the variant; another formula it is not
    kind: str = "exact"  # or a way to round, see _predict


_K = math.sqrt(2 / math.pi)
_SINGLE = float(np.float32(0.044715))
_TABLE = "from a table of float16", "table"
_FLUSHED = "subnormals flushed", "flushed"
_CANDIDATES = (
    *(_Candidate(name, ufuncs[name]) for name in ("gelu", "gelu_tanh", "gelu_sigmoid", "silu")),
    _Candidate("relu", partial(np.maximum, 0.0)),
    _Candidate("gelu", lambda x: np.clip(ufuncs["gelu"](x), -10, 10), "clipped to [-10, 10]"),
    _Candidate("gelu", _one_plus_erf, "tail lost as by 1 + erf", "working"),
    _Candidate("gelu", ufuncs["gelu"], *_FLUSHED),
    _Candidate("gelu", ufuncs["gelu"], *_TABLE),
    _Candidate("gelu", _erf_form(float(np.float32(math.sqrt(0.5)))), "float32's sqrt(1/2)"),
    _Candidate("gelu_tanh", _one_plus_tanh, "tail lost as by 1 + tanh", "working"),
    _Candidate("gelu_tanh", ufuncs["gelu_tanh"], *_FLUSHED),
    _Candidate("gelu_tanh", ufuncs["gelu_tanh"], *_TABLE),
    _Candidate("gelu_sigmoid", ufuncs["gelu_sigmoid"], *_TABLE),
    # Rounded constants, and mistakes that stand in public code.
    *(
        _Candidate("gelu_tanh", _tanh_form(factor, 0.044715), f"{factor} for sqrt(2/pi)")
        for factor in (0.7978845608, 0.79788456, 0.797885, 0.79788, 0.7978)
    ),
    _Candidate("gelu_tanh", _tanh_form(_K, _SINGLE), "float32's 0.044715"),
    _Candidate("gelu_tanh", _tanh_form(_K, 0.0447), "0.0447 for 0.044715"),
    _Candidate("gelu_sigmoid", _sigmoid_form(1.7), "1.7 for 1.702"),
    *(
        _Candidate(f"gelu_tanh with {cubic} for 0.044715", _tanh_form(_K, cubic))
        for cubic in (0.44715, 0.0044715, 0.047715, 0.044175)
    ),
)


def _predict(candidate: _Candidate, x: _Floats, form: _Format) -> _Floats:
    """What the candidate would give in this format."""
    half = _FORMATS["float16"]
    with np.errstate(all="ignore"):
        if candidate.kind == "working":
            working = np.float64 if form.name == "float64" else np.float32
            return form.round(candidate.function(x.astype(working)).astype(np.float64))
        if candidate.kind == "table":
            return form.round(half.round(candidate.function(half.round(x))))
        rounded = form.round(candidate.function(x))
    if candidate.kind == "flushed":
        return np.where(np.abs(rounded) < 2.0**form.low, 0.0, rounded)
    return rounded


# ---- how well a candidate explains the numbers

# Beyond this, the choice of samples decides nothing any more.
_MOST_SAMPLES = 1 << 16
_NOISE = (0.0, *(2.0**k for k in range(-60, 6, 2)))
_FEWEST_FOR_NOISE = 64  # which is told from another formula block by block
_DECISIVE = 3.0  # the decimal logarithm of odds


def _log_likelihood(residual: _Floats, spacing: _Floats) -> float:
    """In decades, if errors have the size of one spacing and of a noise that fits best. Laplace's
    distribution, because a normal one would let a few outliers decide.
    """

    def with_noise(noise: float) -> float:
        scale = spacing + noise
        return -float(np.sum(np.abs(residual) / scale + np.log(scale)))

    return max(map(with_noise, _NOISE)) / math.log(10)


def _smooth_share(residual: _Floats, x: _Floats) -> float:
    """How much of the residual is a function of x: about 1 if the formula is another one, about
    1 / 8 or less if it is noise.
    """
    parts = np.array_split(residual[np.argsort(x, kind="stable")], min(32, x.size // 8))
    means = np.array([part.mean() for part in parts])
    return float(np.mean(means**2) / np.mean(residual**2))


@dataclasses.dataclass(frozen=True)
class Match:
    """A candidate, and how far the outputs are from what it gives.

    Attributes
    ----------
    variant : str
        The formula.
    detail : str
        In what the candidate differs from it: a lost tail, a rounded constant; often nothing.
    max_abs : float
        The largest absolute error.
    max_ulp : float
        The largest distance, in numbers of the outputs' format.
    exact : float
        The share of outputs that are equal.
    """

    variant: str
    detail: str
    max_abs: float
    max_ulp: float
    exact: float

    @property
    def name(self) -> str:
        """Formula and detail."""
        return f"{self.variant}, {self.detail}" if self.detail else self.variant

    def _plainly_beats(self, other: "Match") -> bool:
        """Not by the odds alone, which many small deviations of another origin can tip."""
        return (
            2 * self.max_abs <= other.max_abs > 0
            or 2 * self.max_ulp <= other.max_ulp > 0
            or 1.25 * (1 - self.exact) <= 1 - other.exact > 0
        )


@dataclasses.dataclass(frozen=True)
class Identification:
    """The answer of `identify`; as a string, a report.

    Attributes
    ----------
    verdict : str or None
        The formula that made the outputs; None if the samples do not tell.
    reason : str
        The verdict in a sentence, and what else the outputs show: a lost tail, a rounded constant.
    margin : float
        The decimal logarithm of the odds of the best candidate against the best one that is another
        formula. Below 3, the verdict is None.
    tell_apart : float
        The x at which these two differ most: sample there.
    matches : tuple of Match
        The candidates, the likeliest first.
    format : str
        The format of the outputs: float16 numbers in a float32 array are float16.
    samples : int
        How many pairs were compared.
    """

    verdict: str | None
    reason: str
    margin: float
    tell_apart: float
    matches: tuple[Match, ...]
    format: str
    samples: int

    def __str__(self) -> str:
        lines = [
            self.reason,
            f"{self.samples} samples, outputs in {self.format}. Odds over the next formula: "
            f"10^{self.margin:.1f}; the two differ most at x = {self.tell_apart:g}.",
            "",
            f"{'candidate':<42} {'max error':>10} {'max ULP':>10} {'exact':>7}",
        ]
        lines += [
            f"{match.name:<42} {match.max_abs:10.2e} {match.max_ulp:10.3g} {match.exact:7.1%}"
            for match in self.matches
        ]
        return "\n".join(lines)


# ---- the verdict


class _Trial(NamedTuple):
    """A candidate's predictions for the samples, and how they fit the outputs."""

    candidate: _Candidate
    prediction: _Floats
    residual: _Floats
    score: float
    match: Match


def _trials(inputs: _Floats, outputs: _Floats, form: _Format) -> list[_Trial]:
    """The likeliest first; of equals, the one that stands first in the list."""
    spacing = form.spacing(outputs)

    def attempt(candidate: _Candidate) -> _Trial:
        prediction = _predict(candidate, inputs, form)
        residual = outputs - prediction
        match = Match(
            candidate.variant,
            candidate.detail,
            float(np.abs(residual).max()),
            float(form.distance(outputs, prediction).max()),
            float(np.mean(residual == 0)),
        )
        score = _log_likelihood(residual, spacing)
        return _Trial(candidate, prediction, residual, score, match)

    return sorted(map(attempt, _CANDIDATES), key=lambda trial: -trial.score)


def _tell_apart(a: _Candidate, b: _Candidate) -> float:
    """The negative side first: there, outputs have the finer spacing."""
    grid = np.concatenate([-np.arange(0, 1601), np.arange(1, 1601)]) / 100
    with np.errstate(all="ignore"):
        difference = a.function(grid) - b.function(grid)
    return float(grid[np.abs(difference).argmax()])


def _misfit(best: _Trial, rival: _Trial, inputs: _Floats) -> str:
    """Why the best one is not the formula, "" if it may be: what is left is too large for rounding
    and depends on x, or there are too few samples to see whether it does.
    """
    apart = np.mean((best.prediction - rival.prediction) ** 2)
    if np.mean(best.residual**2) <= 0.01 * apart:
        return ""
    text = f"the nearest, {best.match.variant}, is off by up to {best.match.max_abs:.2g}"
    if np.unique(inputs).size < _FEWEST_FOR_NOISE:
        return f"Cannot tell: {text}, and the samples are too few to say if this is noise."
    is_function = _smooth_share(best.residual, inputs) > 0.5
    return f"None of these formulas: {text}, and this is no noise." if is_function else ""


def _judge(trials: list[_Trial], inputs: _Floats) -> tuple[str | None, str]:
    """The verdict, and the reason."""
    best = trials[0]
    variant = best.match.variant
    others = [trial for trial in trials if trial.match.variant != variant]
    level = {trial.match.variant: None for trial in others if best.score - trial.score < _DECISIVE}
    misfit = _misfit(best, others[0], inputs)
    if misfit:
        return None, misfit
    if level:
        names = ", ".join([variant, *level])
        return None, f"Cannot tell: the samples do not separate {names}."
    kin = [trial for trial in trials[1:] if trial.match.variant == variant]
    told = all(best.match._plainly_beats(trial.match) for trial in kin)
    detail = f", {best.match.detail}" if best.match.detail and told else ""
    return variant, f"It is {variant}{detail}."


def _pairs(x: ArrayLike, y: ArrayLike) -> tuple[_Floats, _Floats, _Format]:
    """The pairs of inputs and outputs that are finite and not masked."""
    if np.shape(x) != np.shape(y):
        raise ValueError(f"x has the shape {np.shape(x)}, y has {np.shape(y)}: they must agree")
    inputs, (values, given) = _decode(x, "x")[0], _decode(y, "y")
    masked = np.ravel(np.ma.getmask(x)) | np.ravel(np.ma.getmask(y))
    chosen = np.flatnonzero(np.isfinite(inputs) & np.isfinite(values) & ~masked)
    if chosen.size > _MOST_SAMPLES:
        chosen = np.random.default_rng(0).choice(chosen, _MOST_SAMPLES, replace=False)
    inputs, values = inputs[chosen], values[chosen]
    form = _narrowest(values, given)
    within = np.isfinite(form.round(inputs))  # those beyond it tell nothing
    if not within.any():
        raise ValueError("there is no pair of a finite x and a finite y")
    return inputs[within], values[within], form


@np.errstate(all="ignore")  # what no formula made may be huge, and its residuals overflow
def identify(x: ArrayLike, y: ArrayLike) -> Identification:
    """Find the formula that made the outputs `y` from the inputs `x`.

    The candidates are `gelu`, `gelu_tanh`, `gelu_sigmoid`, `silu`, ReLU, forms that lose the
    negative tail, and wrong constants that stand in public code. Each is computed in float64 and
    rounded to the format of `y`.

    Parameters
    ----------
    x, y : array_like
        Inputs and outputs, of one shape: float16, bfloat16, float32 or float64. Noise is no
        obstacle if there are enough samples; masked pairs and those that are not finite are left
        out.

    Returns
    -------
    identification : Identification
        `verdict`, `reason`, `margin`, `tell_apart` and the ranking, `matches`. Printed, a report.

    Raises
    ------
    ValueError
        If the shapes differ, or if no finite pair is left.
    TypeError
        If the arrays hold no real numbers.

    Examples
    --------
    >>> import numpy as np
    >>> from gelu_ufunc import variants
    >>> x = np.linspace(-5, 5, 101)
    >>> y = 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))
    >>> variants.identify(x, y.astype(np.float16)).verdict
    'gelu_tanh'
    >>> print(variants.identify([0.0, 9.0], [0.0, 9.0]).verdict)
    None
    """
    inputs, outputs, form = _pairs(x, y)
    trials = _trials(inputs, outputs, form)
    verdict, reason = _judge(trials, inputs)
    best = trials[0]
    rival = next(trial for trial in trials if trial.match.variant != best.match.variant)
    return Identification(
        verdict,
        reason,
        best.score - rival.score,
        _tell_apart(best.candidate, rival.candidate),
        tuple(trial.match for trial in trials),
        form.name,
        inputs.size,
    )
