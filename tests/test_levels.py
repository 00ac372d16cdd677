"""Every SIMD level gives the same bits; the level is the best one unless the user caps it."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest
from fixed_inputs import PATH, fixed_inputs, hash_of
from helpers import (
    BUILT,
    DTYPES,
    LEVELS,
    assert_same_bits,
    available_levels,
    bits,
    level_state,
    use_level,
)
from reference import finfo
from samples import is_finite

from gelu_ufunc import _core, simd


@pytest.fixture
def fma_level(level):
    """A level that must have the bits of all others like it."""
    if not BUILT[level]["has_fma"]:
        pytest.skip("without fused multiply-add a level has bits of its own")
    return level


def answers(case, x):
    with np.errstate(invalid="ignore"):  # signalling NaNs are among the random patterns
        return case.ufunc(x)


def answers_on(level, case, x):
    with use_level(level):
        return answers(case, x)


def test_same_bits(case, fma_level):
    """A million random bit patterns, and ordinary numbers, against the best level."""
    rng = np.random.default_rng(8)
    unsigned = f"u{case.dtype.itemsize}"
    patterns = rng.integers(0, np.iinfo(unsigned).max, 1 << 20, unsigned, endpoint=True)
    parts = (patterns.view(case.dtype), rng.uniform(-40, 10, 1 << 18), rng.normal(size=1 << 18))
    x = np.concatenate(parts, dtype=case.dtype)
    best = available_levels()[-1]
    if best == fma_level:
        pytest.skip(f"{best} is the level the others are compared with")
    label = f"{case}, {fma_level} and {best}"
    assert_same_bits(answers(case, x), answers_on(best, case, x), label)


def test_hashes(case, fma_level):
    """The bits of the last release; fixed_inputs.py says when to record new ones."""
    assert hash_of(case) == json.loads(PATH.read_text())[str(case)]


@pytest.mark.parametrize("dtype", DTYPES.values(), ids=str)
def test_fixed_inputs_reach_everywhere(dtype):
    """NaN, infinity or not, both signs, every binade: else the hash would not see a change."""
    x = fixed_inputs(dtype)
    finite = x[is_finite(x)]
    assert (bits(np.abs(x)) > bits(np.full(1, np.inf, dtype))).any()
    exponents = np.unique(np.frexp(finite[finite != 0])[1])
    assert exponents.size >= finfo(dtype).maxexp - finfo(dtype).minexp
    assert ((finite > -3) & (finite < 3)).sum() > 90000


# ---- choosing


def import_with(value):
    """What a fresh process does under GELU_UFUNC_SIMD=value."""
    code = (
        "import json, warnings\n"
        "with warnings.catch_warnings(record=True) as caught:\n"
        "    warnings.simplefilter('always')\n"
        "    import gelu_ufunc\n"
        "print(json.dumps([gelu_ufunc.simd.level(), [str(w.message) for w in caught],"
        " gelu_ufunc.gelu(1.0).hex()]))"
    )
    environment = {**os.environ, "GELU_UFUNC_SIMD": value}
    if value is None:
        del environment["GELU_UFUNC_SIMD"]
    run = subprocess.run(
        [sys.executable, "-P", "-c", code], env=environment, capture_output=True, check=True
    )
    level, warned, result = json.loads(run.stdout)
    assert result == float.hex(0.8413447460685429)
    return level, warned


def test_the_best_level_is_chosen():
    assert import_with(None) == (available_levels()[-1], [])


@pytest.mark.parametrize("value", ["", "  "])
def test_an_empty_variable_asks_for_nothing(value):
    assert import_with(value) == (available_levels()[-1], [])


@pytest.mark.parametrize("name", LEVELS)
def test_variable_caps_the_level(name):
    if level_state(name) != "available":
        pytest.skip(f"level {name}: {level_state(name)}")
    for spelling in (name, name.upper(), name.capitalize(), f" {name} "):
        assert import_with(spelling) == (name, [])


@pytest.mark.parametrize("name", ["sse9", "avx", "avx2,avx512", "baselin", "baseline2", "1", "ä"])
def test_unknown_level_warns(name):
    level, warned = import_with(name)
    assert level == available_levels()[-1]
    assert len(warned) == 1
    assert "GELU_UFUNC_SIMD" in warned[0]
    assert name in warned[0]
    assert level in warned[0]


@pytest.mark.parametrize("name", sorted(set(LEVELS) - set(available_levels())))
def test_unavailable_level_warns(name):
    level, warned = import_with(name)
    assert level == available_levels()[-1]
    assert len(warned) == 1
    assert name in warned[0]


def test_introspection(level):
    assert simd.level() == level
    assert level in simd.available()


def test_available():
    assert list(simd.available()) == available_levels()
    assert simd.available()[0] == "baseline"


def test_private_switch_refuses_what_there_is_not():
    before = simd.level()
    with pytest.raises(ValueError, match="sse9"):
        _core._select_level("sse9")
    assert simd.level() == before
