"""The worst inputs known: their errors are within the registry's bounds, and those on record.

Where an error has changed so have the bits: `python worst_inputs.py` searches anew."""

import numpy as np
import pytest
import reference
from flint import ctx
from helpers import CASES, Case
from samples import known_rows
from worst_inputs import FLOAT64, accurate_panels, kind_of

KINDS = ("fma", "no_fma")
RECORDED = [case for case in CASES if case.dtype.itemsize > 2]  # of the others all are tried

NEAR_ZERO = float(reference.derivative_zero("gelu_grad")) + 1e-6


def rows_of(case, kind):
    key = case.name, case.dtype.name, kind
    return [row for row in known_rows() if (row["function"], row["dtype"], row["kind"]) == key]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("case", RECORDED, ids=str)
def test_there_are_inputs(case, kind):
    assert len(rows_of(case, kind)) >= (15 if case.dtype == np.float64 else 1)


@pytest.mark.parametrize("case", RECORDED, ids=str)
def test_errors(case, level):
    rows = rows_of(case, kind_of(level))
    x = np.array([row["x"] for row in rows], case.dtype)
    assert [float(number) for number in x] == [row["x"] for row in rows]
    error = reference.evaluate(case.name, x).error(case.ufunc(x))
    recorded = np.array([row["error"] for row in rows])
    assert (error <= case.limit(level)).all(), f"{case}: {error.max():.4f} ULP"
    changed = np.abs(error - recorded) > 0.001
    assert not changed.any(), (
        f"{case} at {x[changed][0]!r}: {error[changed][0]:.4f} ULP, recorded {recorded[changed][0]}"
    )


@pytest.mark.parametrize(
    ("low", "high"), [(-38.4, -38.3), (-8, -7.9), (NEAR_ZERO, NEAR_ZERO + 1e-6), (1, 1.1)]
)
def test_estimates(low, high):
    """The search's estimates of errors, of subnormal results and near a derivative's zero, too."""
    case = Case("gelu_grad", FLOAT64)
    with ctx.workprec(256):
        panels = accurate_panels(case.name, low, high)
    for panel in panels:
        x = np.random.default_rng(5).uniform(panel.low, panel.high, 20)
        got = case.ufunc(x)
        (estimated,) = panel.estimates(x, [got])
        assert np.abs(estimated - reference.evaluate(case.name, x).error(got)).max() < 0.02
