"""docs/facts.md has what bench/facts.py computes, and that is right by the math module."""

import pathlib
import re
import sys

import numpy as np
import pytest
from formulas import gelu, gelu_tanh, scaled

ROOT = pathlib.Path(__file__).parents[1]
sys.path.append(str(ROOT / "bench"))

facts = pytest.importorskip("facts", reason="bench/ is not beside the tests")

GRID = np.arange(-600, 601) / 100


@pytest.fixture(scope="module")
def rows():
    return {quantity: value for quantity, value, _ in facts.rows()}


def test_document(rows):
    text = (ROOT / "docs" / "facts.md").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines[1:]]
    assert {quantity: value for quantity, value, _ in cells} == rows


def largest(function):
    values = [abs(function(x)) for x in GRID.tolist()]
    return max(values), abs(GRID[int(np.argmax(values))])


@pytest.mark.parametrize(
    ("quantity", "function"),
    [
        ("largest abs(gelu_tanh - gelu)", lambda x: gelu_tanh(x) - gelu(x)),
        ("largest abs(gelu_sigmoid - gelu)", lambda x: scaled(1.702)(x) - gelu(x)),
        ("largest abs(silu - gelu)", lambda x: scaled(1)(x) - gelu(x)),
    ],
)
def test_differences(rows, quantity, function):
    value, x = re.fullmatch(r"([\d.e-]+) at x = ±([\d.]+)", rows[quantity]).groups()
    assert largest(function) == (pytest.approx(float(value), rel=5e-3), float(x))


@pytest.mark.parametrize("name", facts.HANDBOOK)
def test_handbook(rows, name):
    """The formulas are those of the book: they keep the bounds that it states."""
    bound = {"7.1.25": 2.5e-5, "7.1.26": 1.5e-7, "7.1.27": 5e-4, "7.1.28": 3e-7}[name]
    error = float(rows[f"error of erf by Abramowitz and Stegun {name}"].partition(";")[0])
    assert bound / 2 < error < bound


def test_value(rows):
    assert float(rows["gelu(-5)"]) == pytest.approx(gelu(-5), rel=1e-6)


def test_zeros_of_the_tail(rows):
    """Where the results of float32 and float64 really end, by the correctly rounded exact value."""
    [tail] = [value for quantity, value in rows.items() if quantity.startswith("tail of gelu:")]
    normal, zero, normal64, _ = map(float, tail.split(" / "))
    assert gelu(normal - 0.006) > -(2.0**-126) > gelu(normal + 0.006)
    assert gelu(zero - 0.006) > -(2.0**-150) > gelu(zero + 0.006)
    assert gelu(normal64 - 0.006) > -(2.0**-1022) > gelu(normal64 + 0.006)
