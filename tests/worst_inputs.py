"""The inputs with the largest errors known, data/worst_inputs.csv, and the search for worse ones.

python worst_inputs.py [FUNCTION...] goes on from the file's inputs; for all functions it takes 5
minutes of one core. To be done when float64's bits change, which test_worst_inputs.py tells.

Ball arithmetic takes 10 us for a number. It measures those alone that a faster estimate, good to
0.02 ULP, has found: by polynomials through exact values, each on a short panel. Of float32 all
numbers are tried elsewhere (c/proof_float32.c); docs/accuracy.md tells the worst.
"""

import collections
import csv
import functools
import itertools
import math
import pathlib
import re
import sys

import numpy as np
import reference
from flint import arb, arb_poly, ctx
from helpers import BUILT, CASES, LIMITS, Case, available_levels, use_level
from samples import WORST_INPUTS, around, known_inputs, known_rows, samples_with_exact

ROOT = pathlib.Path(__file__).parents[1]
FIELDS = ["function", "dtype", "kind", "x", "error", "place"]
FLOAT64 = np.dtype(np.float64)

KEPT, KEPT_PER_PLACE = 12, 2  # inputs of a function and kind of level: at least, and at each place
BLOCK = 1 << 13  # numbers tried at a time
ROUND = 3000  # blocks in a round
NODES = 12  # of a panel's polynomial
TOLERANCE = 2.0**-61  # of a panel's polynomial, relative
ZERO_BITS = -44  # panels end 2^-44 beside a derivative's zero: all numbers nearer are candidates
TIES = 64  # results among the smallest subnormal numbers, between which one is sought

# ---- kinds of level, fma and no_fma: those with fused multiply-add give the same bits


def kind_of(level):
    return "fma" if BUILT[level]["has_fma"] else "no_fma"


def levels_by_kind():
    """{kind: the best level of that kind}."""
    return {kind_of(level): level for level in available_levels()}


def on_level(level, case, x):
    with use_level(level):
        return case.ufunc(x)


# ---- the file


def row(case, kind, x, error, place):
    return dict(zip(FIELDS, (case.name, case.dtype.name, kind, x, error, place), strict=True))


def group(row):
    """What is replaced together, in the file's order."""
    return list(LIMITS).index(row["function"]), row["dtype"], row["kind"]


def record(rows):
    """In place of the file's rows of these groups; another machine may have had other levels."""
    new = {group(row) for row in rows}
    kept = [row for row in known_rows() if group(row) not in new]
    with WORST_INPUTS.open("w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        for row in sorted([*kept, *rows], key=lambda row: (group(row), -row["error"])):
            writer.writerow(row | {"x": row["x"].hex(), "error": f"{row['error']:.4f}"})


# ---- panels: f by polynomials


def split_float(values):
    """26 bits and the rest: products of such high parts are exact."""
    factor = values * (2.0**27 + 1)
    high = factor - (factor - values)
    return high, values - high


class Panel:
    """f on [low, high]: 2^exponent (head + u (slope + p(u))), u = (x - center)/unit."""

    def __init__(self, name, low, high):
        function = reference.FUNCTIONS[name]
        self.low, self.high = low, high
        self.center, radius = (low + high) / 2, (high - low) / 2
        self.unit = 2.0 ** math.ceil(math.log2(radius))
        angles = np.pi * (np.arange(NODES) + 0.5) / NODES
        nodes = (self.center + radius * np.cos(angles)).tolist()
        mantissa, exponent = function(arb(self.center)).mid().man_exp()
        self.exponent = int(exponent) + mantissa.bit_length()
        scale = arb(2) ** -self.exponent
        coefficients = arb_poly.interpolate(
            [(arb(x) - self.center) / self.unit for x in nodes],
            [function(arb(x)) * scale for x in nodes],
        ).coeffs()
        self.head, self.slope = (float(c.mid()) for c in coefficients[:2])
        self.slope = split_float(self.slope)[0]
        rests = coefficients[0] - self.head, coefficients[1] - self.slope, *coefficients[2:]
        self.rests = [float(c.mid()) for c in rests]
        self.least_ulp = 2.0 ** (-1074 - self.exponent)
        self.accurate = all(
            self.misses(x, function(arb(x)) * scale) < TOLERANCE
            for x in (low, self.center + 0.3 * radius, high)
        )

    def parts(self, x):
        """Two, whose sum with the head is f."""
        u = (x - self.center) / self.unit  # exact: center/2 < x < 2 center
        high, low = split_float(u)
        rest = np.zeros_like(u)
        for c in reversed(self.rests):
            rest *= u
            rest += c
        return self.slope * high, self.slope * low + rest

    def misses(self, x, exact):
        part, rest = (float(part[0]) for part in self.parts(np.array([x])))
        return abs(float(exact - self.head - part - rest) / float(exact))

    def estimates(self, x, results):
        """The errors of several results for x, in ULP."""
        part, rest = self.parts(x)
        nearest = self.head + part + rest
        toward_zero = ((self.head - nearest) + part + rest) * nearest < 0  # of a power of 2
        below = np.where(toward_zero, nearest * (1 - 2.0**-53), nearest)
        ulp = np.maximum(np.spacing(np.abs(below)), self.least_ulp)
        for got in results:
            yield np.abs((np.ldexp(got, -self.exponent) - self.head - part - rest) / ulp)


@functools.cache
def row_edges(name):
    """Where float64_rows.c changes the polynomial, and where the tail begins: for |x|."""
    sys.path.insert(0, str(ROOT / "src" / "coeffs"))
    from float64_rows import FUNCTIONS

    table = FUNCTIONS[name]
    return [float(table.start(row)) for row in range(1, table.rows)] + [float(table.end)]


def ends(name):
    """Where panels end at least, rising. Left of the first all results are -0.0."""
    edges = row_edges(name)
    # Binades: near 0 a value must be accurate relative to itself.
    right = [*edges, *2.0 ** np.arange(-60, 4), 2 * edges[-1]]
    if name == "erf":
        return np.unique(right)  # an odd function has the same bits on the other side
    dead, subnormal = reference.underflow_edges(name, FLOAT64)
    points = [*right, *(-x for x in right if x < -dead), dead - 0.01, dead, subnormal]
    zero = reference.derivative_zero(name)
    if zero is not None:
        points += [float(zero) + sign * 2.0**k for sign in (-1, 1) for k in range(ZERO_BITS, -3)]
    return np.unique(points)


def accurate_panels(name, low, high):
    panel = Panel(name, low, high)
    if panel.accurate:
        return [panel]
    return [
        *accurate_panels(name, low, panel.center),
        *accurate_panels(name, panel.center, high),
    ]


def panels(name):
    """Over the whole line, but for the neighbourhoods of 0 and of a derivative's zero."""
    zero = reference.derivative_zero(name)
    holes = [0.0] if zero is None else [0.0, float(zero)]
    with ctx.workprec(256):
        return [
            panel
            for low, high in itertools.pairwise(ends(name).tolist())
            if (low + high) / 2 not in holes
            for panel in accurate_panels(name, low, high)
        ]


# ---- the search


class Search:
    """The worst input of each panel, for each kind of level."""

    def __init__(self, case, kinds, rng):
        self.case, self.kinds, self.rng = case, kinds, rng
        self.panels = panels(case.name)
        self.error = {kind: np.zeros(len(self.panels)) for kind in kinds}
        self.x = {kind: np.array([panel.center for panel in self.panels]) for kind in kinds}
        self.count = 0

    def windows(self, panel, centers):
        """Numbers at distances of all magnitudes from the centres, and these."""
        scale = np.ldexp(panel.high - panel.low, self.rng.integers(-50, 1, BLOCK // 2))
        center = self.rng.choice(centers, BLOCK // 2)
        return np.concatenate([centers, center + self.rng.uniform(-1, 1, BLOCK // 2) * scale])

    def try_block(self, index, centers):
        """Half of the numbers from the whole panel, half from around the centres."""
        panel = self.panels[index]
        anywhere = self.rng.uniform(panel.low, panel.high, BLOCK // 2)
        x = np.concatenate([anywhere, self.windows(panel, centers)]).clip(panel.low, panel.high)
        results = [on_level(level, self.case, x) for level in self.kinds.values()]
        self.count += x.size
        for kind, errors in zip(self.kinds, panel.estimates(x, results), strict=True):
            worst = errors.argmax()
            if errors[worst] > self.error[kind][index]:
                self.error[kind][index], self.x[kind][index] = errors[worst], x[worst]

    def around_ends(self):
        """Every panel; its ends are where rows of the tables, binades, subnormal results begin."""
        for index, panel in enumerate(self.panels):
            self.try_block(index, around([panel.low, panel.high], FLOAT64, 64))

    def around_known(self, known):
        for x in known:
            for index, panel in enumerate(self.panels):
                if panel.low <= x <= panel.high:
                    self.try_block(index, around([x], FLOAT64, 64))

    def around_worst(self, kind):
        """Round by round the worse half of the panels, with twice the numbers in each."""
        left = len(self.panels) // 2
        while left > KEPT:
            for index in np.argsort(-self.error[kind])[:left]:
                for _ in range(ROUND // left):
                    self.try_block(index, self.x[kind][[index]])
            left //= 2


def ties(name):
    """Around where results change among the smallest subnormal numbers."""
    if name == "erf":
        return np.array([])
    dead, _ = reference.underflow_edges(name, FLOAT64)

    def crossing(limit):
        low, high = dead - 1, dead + 1
        while (middle := (low + high) / 2) not in (low, high):
            small = abs(reference.FUNCTIONS[name](arb(middle))) < limit
            low, high = (middle, high) if small else (low, middle)
        return low

    half = arb(2) ** -1075
    return around([crossing(half * (2 * k + 1)) for k in range(TIES)], FLOAT64)


def smallest_inputs(rng):
    """Around the smallest normal number."""
    significands = rng.uniform(1, 2, 30_000) * rng.choice([-1, 1], 30_000)
    return np.ldexp(significands, rng.integers(-1030, -1015, 30_000))


def candidates(found, kind):
    """Those of the search, and where it has no panels."""
    name = found.case.name
    zero = reference.derivative_zero(name)
    near_zero = [] if zero is None else around([float(zero)], FLOAT64, 1 << 10)
    sample, _ = samples_with_exact(found.case, 1)
    parts = [found.x[kind], near_zero, ties(name), smallest_inputs(found.rng), sample]
    return np.unique(np.concatenate(parts))


def places(name, x):
    """What makes each x special. Names that the file shows."""
    a, edges = np.abs(x), row_edges(name)
    reach = 64 * np.spacing(a)
    zero = float(reference.derivative_zero(name) or np.nan)
    dead, subnormal = reference.underflow_edges(name, FLOAT64) or (-np.inf, -np.inf)
    conditions = {
        "zero": np.abs(x - zero) < 2.0**-20,
        "smallest results": x < dead + 0.01,
        "subnormal results": x < subnormal,
        "row edge": np.searchsorted(edges, a - reach) != np.searchsorted(edges, a + reach),
        "tail": a > edges[-1],
        "tiny": a < 2.0**-26,
    }
    return np.select(list(conditions.values()), list(conditions), "rows")


def chosen(found, kind):
    """[(error, x, place)]: the worst of the line and of each place, but one of a panel."""
    case = found.case
    x = candidates(found, kind)
    errors = reference.evaluate(case.name, x).error(on_level(found.kinds[kind], case, x))
    panel = np.searchsorted([panel.low for panel in found.panels], x)
    place = places(case.name, x)
    seen, taken, result = set(), collections.Counter(), []
    for i in np.argsort(-errors):
        if panel[i] not in seen and (len(result) < KEPT or taken[place[i]] < KEPT_PER_PLACE):
            result.append((errors[i], float(x[i]), str(place[i])))
            seen.add(panel[i])
            taken[place[i]] += 1
    return result


def search(case, kinds):
    """The case's rows for the file."""
    found = Search(case, kinds, np.random.default_rng())
    found.around_ends()
    found.around_known(known_inputs(case))
    for kind in kinds:
        found.around_worst(kind)
    for kind in kinds:
        for error, x, where in chosen(found, kind):
            yield row(case, kind, x, error, where)
    print(f"{case}: {found.count:.2g} numbers, {len(found.panels)} panels", flush=True)


def proven():
    """float32's rows: what c/proof_float32.c found, from the table in docs/accuracy.md."""
    pattern = r"\| (\w+) +\| (\w+) +\| [\d.]+ +\| (-?0x\S+) "
    for name, level, text in re.findall(pattern, (ROOT / "docs" / "accuracy.md").read_text()):
        case, x = Case(name, np.dtype(np.float32)), float.fromhex(text)
        if level in available_levels():
            numbers = np.array([x], np.float32)
            error = reference.evaluate(name, numbers).error(on_level(level, case, numbers))[0]
            yield row(case, kind_of(level), x, error, "proof")


def main():
    names = sys.argv[1:] or list(LIMITS)
    kinds = levels_by_kind()
    for case in CASES:
        if case.dtype == FLOAT64 and case.name in names:
            record([*search(case, kinds)])
    record([*proven()])


if __name__ == "__main__":
    main()
