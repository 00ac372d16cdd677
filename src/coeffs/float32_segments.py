"""Finds the words of a segment of a float32 table. float32_tables.py prints them.

A segment gives h(a) = H + t p(t), t = a - C. C is a float at which h is within 2^-9 ulp of the
float H (Gal's method); in the anchored segment it is the zero of h. p is fitted by weighted least
squares, its coefficients rounded one after the other, the rest being refitted each time. How well
that does is luck: many are fitted and ranked by a bound of the error, the best of them run on some
floats, and the best of these on every float of the segment.

Everything is IEEE arithmetic, element by element, or correctly rounded: any machine finds the same.
"""

import heapq
import math
import random
from functools import partial
from typing import NamedTuple

import numpy as np
from mpmath import mp, mpf

f32, f64 = np.float32, np.float64

NODES = 48  # of least squares
TERMS = 30  # of the polynomial that stands for h
CANDIDATES, TRIED, FINALISTS = 1000, 60, 6
GOOD, ROUNDS = 0.88, 4  # an error, in ULP, to be content with, and how often at most to seek it
GRID = 400  # where the bound is evaluated
SAMPLE = 1 << 18  # floats of the first run
BLOCK = 1 << 14  # floats at a time: they stay in cache
SPARSE = 29  # below 1/16, where all binades are much alike, one float in so many; none below 2^-30


def word(x):
    return int(f32(x).view(np.uint32))


def from_word(bits):
    return float(np.uint32(bits).view(f32))


def rounded(x):
    return from_word(word(x))


class Anchor(NamedTuple):
    """Where h passes through 0: the segment, the zero, the part of the slope there that the kernel
    adds last, and the coefficient w0 if it must have a value, not one that is fitted."""

    segment: int
    zero: mpf
    slope: float
    w0: float | None = None


class Table(NamedTuple):
    """The segment of a is round(a (a scale + slope)), scale = (segments - 0.51)/(edge (edge + b)),
    slope = b scale. b > 0 makes the segments near 0 wider than the others, b < 0 narrower."""

    kind: str  # value, derivative or odd: see finish.h
    h: object
    edge: float
    b: float
    anchor: Anchor
    segments: int = 16

    @property
    def scale(self):
        return rounded((self.segments - 0.51) / (self.edge * (self.edge + self.b)))

    @property
    def slope(self):
        return rounded(self.b * self.scale)

    @property
    def coefficients(self):
        """Of p, the packed one included."""
        return 8 if self.kind == "derivative" else 7

    def segment(self, a):
        magic = 1.5 * 2**23
        return fma(a, fma(a, self.scale, self.slope), magic) - f32(magic)

    def start(self, k):
        """The bits of the first float of segment k, of the first beyond the edge for the last k."""
        low, high = 0, word(self.edge) + 1
        while low < high:
            middle = (low + high) // 2
            if self.segment(from_word(middle)) < k:
                low = middle + 1
            else:
                high = middle
        return low

    @property
    def near_edge(self):
        """The last float of segments 0-7, which some levels look up at half the cost."""
        return from_word(self.start(8) - 1)


# ---- the kernel's arithmetic


def fma(x, y, z):
    """The product is exact. The sum is rounded twice, which is seen once in 2^29 times; the proof,
    which runs the kernels, would see it too."""
    return (f64(x) * y + z).astype(f32)


def packed_in(last_word):
    """The coefficient in its low half, a bfloat16."""
    return from_word((last_word & 0xFFFF) << 16)


def core(a, words, anchor_slope):
    """table_core_f32 on floats of one segment: its words C, H, w0, … ; anchor_slope 0 in the others
    than the anchored one."""
    center, value, *coefficients = map(from_word, words)
    t = f64((f64(a) - center).astype(f32))
    p = packed_in(words[-1])
    for w in reversed(coefficients):
        p = fma(p, t, w)
    return fma(t, anchor_slope, fma(p, t, value))


def inverse_ulp(x):
    return np.ldexp(1.0, 24 - np.frexp(x)[1])


def errors(kind, a, h, computed):
    """Of the function at -a and at a, the larger, in ULP."""
    error = abs(computed - h) * inverse_ulp(h)
    if kind == "odd":
        return error
    minuend = a if kind == "value" else f32(1)
    exact = f64(minuend) - h
    return np.maximum(error, abs((minuend - computed) - exact) * inverse_ulp(exact))


# ---- a bound of its errors


def half_ulp(x):
    return 0.5 / inverse_ulp(x)


def lowest_bit(x):
    numerator, denominator = x.as_integer_ratio()
    return (numerator & -numerator) / denominator


def difference_error(a, center):
    """Of t = a - center: none if it is a multiple of its ulp."""
    if center == 0:
        return np.zeros_like(a)
    half = half_ulp(a - center)
    return np.where(2 * half > np.minimum(2 * half_ulp(a), lowest_bit(center)), half, 0)


def largest_possible_error(kind, a, h, words, anchor_slope):
    """What errors() would be if all roundings were at their worst."""
    center, value, *coefficients = map(from_word, words)
    t = a - center
    p, slope, error = np.full_like(t, packed_in(words[-1])), 0, 0
    for c in [*reversed(coefficients), value]:
        slope = slope * t + p
        p = p * t + c
        error = error * abs(t) + half_ulp(p)
    if anchor_slope:
        p, slope = p + anchor_slope * t, slope + anchor_slope
        error = error + half_ulp(p)
    error = error + abs(p - h) + abs(slope) * difference_error(a, center)
    if kind == "odd":
        return (error * inverse_ulp(h)).max()
    positive = inverse_ulp((a if kind == "value" else 1) - h)
    rounding = np.where(positive < inverse_ulp(h), 0.5, 0)  # else the subtraction is exact
    return np.maximum(error * inverse_ulp(h), error * positive + rounding).max()


# ---- least squares


def chebyshev_nodes(low, high, count=NODES):
    cosines = [float(mp.cospi(mpf(2 * i + 1) / (2 * count))) for i in range(count)]
    return (low + high) / 2 + (high - low) / 2 * np.array(cosines)


def dot(x, y):
    return math.fsum(x * y)


def rounded_fit(columns, target, roundings):
    """The c that minimize |sum c_k column_k - target|, rounded from the last to the first, each to
    what is best when those after it are what they are."""
    basis, mixtures, best = [], [], []
    for column in columns:  # Gram and Schmidt
        mixture = []
        for b in basis:
            mixture.append(dot(b, column) / dot(b, b))
            column = column - mixture[-1] * b
        basis.append(column)
        mixtures.append(mixture)
        best.append(dot(column, target) / dot(column, column))
    for k in reversed(range(len(columns))):
        best[k] = roundings[k](best[k])
        for j, share in enumerate(mixtures[k]):
            best[j] -= share * best[k]
    return best


def bfloat16(x):
    return (word(x) + 0x8000) >> 16


def nearest_with_low_half(x, low):
    middle = word(x) >> 16
    near = [from_word((middle + i) << 16 | low) for i in (-1, 0, 1)]
    return min(near, key=lambda candidate: abs(candidate - x))


class Exact:
    """h near the middle, in float64: q(s) or, at a zero of h, s q(s), s = a - middle."""

    def __init__(self, h, middle, radius, is_zero):
        def q(s):
            if not is_zero:
                return h(middle + s)
            s = s if abs(s) > mpf("1e-25") else mpf("1e-25")
            return h(middle + s) / s

        self.q = [float(c) for c in mp.chebyfit(q, [-radius, radius], TERMS)]
        self.high = float(middle)
        self.low = float(middle - self.high)
        self.is_zero = is_zero

    def __call__(self, a):
        s = (f64(a) - self.high) - self.low
        q = self.q[0]
        for c in self.q[1:]:
            q = q * s + c
        return s * q if self.is_zero else q


class Segment:
    def __init__(self, table, k):
        self.kind, self.anchor = table.kind, table.anchor if k == table.anchor.segment else None
        self.coefficients = table.coefficients
        self.first, self.last = table.start(k), table.start(k + 1)
        self.low, self.high = from_word(self.first), from_word(self.last)
        middle = self.anchor.zero if self.anchor else mpf(self.low + self.high) / 2
        radius = max(self.high - middle, middle - self.low)
        self.h = Exact(table.h, middle, radius, bool(self.anchor))
        self.anchor_slope = self.anchor.slope if self.anchor else 0.0
        self.nodes = chebyshev_nodes(self.low, self.high)
        self.h_nodes = self.h(self.nodes)
        self.grid = f64(f32(np.linspace(max(self.low, 2.0**-30), self.high, GRID)))
        self.h_grid = self.h(self.grid)

    def centers(self, rng):
        """Pairs C, H."""
        if self.anchor:
            center = rounded(self.anchor.zero)
            value = rounded(self.h(center))
            return [(center, value)] * CANDIDATES
        width = self.high - self.low
        places = np.array([0.2 + 0.6 * rng.random() for _ in range(CANDIDATES << 8)])
        centers = f64(f32(self.low + width * places))
        h = self.h(centers)
        values = f64(f32(h))
        near = abs(h - values) * inverse_ulp(h) < 2.0**-9
        return zip(centers[near].tolist(), values[near].tolist(), strict=True)

    def fit(self, center, value, nudges):
        """The words. A coefficient is put as many ulp off the nearest float as its nudge says."""
        packed, host = self.coefficients - 1, self.coefficients - 2
        w0 = self.anchor and self.anchor.w0
        words = {}

        def rounding(k, x):
            if k == packed:
                words[k] = bfloat16(x) + nudges[k]
                return packed_in(words[k])
            if k == host:
                words[k] = word(nearest_with_low_half(x, words[packed]))
            elif k == 0 and w0 is not None:
                words[k] = word(w0)
            else:
                words[k] = word(x) + nudges[k]
            return from_word(words[k])

        order = [*reversed(range(host)), host, packed]
        if w0 is not None:
            order.remove(0)
            order.append(0)
        t = self.nodes - center
        columns = [t / self.h_nodes]
        while len(columns) < self.coefficients:
            columns.append(columns[-1] * t)
        target = (self.h_nodes - value - self.anchor_slope * t) / self.h_nodes
        roundings = [partial(rounding, k) for k in order]
        rounded_fit([columns[k] for k in order], target, roundings)
        return word(center), word(value), *(words[k] for k in range(packed))

    def candidates(self, rng):
        """Of the anchored segment, where there is but one centre, by nudging at random."""
        for center, value in self.centers(rng):
            nudges = [rng.randrange(-1, 2) if self.anchor else 0 for _ in range(self.coefficients)]
            yield self.fit(center, value, nudges)

    def bound(self, words):
        return largest_possible_error(self.kind, self.grid, self.h_grid, words, self.anchor_slope)

    def floats(self, step):
        """In blocks, by their bits."""
        sparse_to, lowest = word(1 / 16), word(2.0**-30)
        parts = [(max(self.first, lowest), min(self.last, sparse_to), SPARSE * step),
                 (max(self.first, sparse_to), self.last, step)]  # fmt: skip
        for first, last, step in parts:
            for start in range(first, last, BLOCK * step):
                bits = np.arange(start, min(last, start + BLOCK * step), step, np.uint32)
                yield bits.view(f32)

    def measured(self, candidates, step=1):
        """{words: largest error}"""
        worst = dict.fromkeys(candidates, 0.0)
        for a in self.floats(step):
            h = self.h(a)
            for words in worst:
                error = errors(self.kind, a, h, core(a, words, self.anchor_slope)).max()
                worst[words] = max(worst[words], float(error))
        return worst

    def round(self, rng):
        """The largest error and the words of the best found."""
        promising = heapq.nsmallest(TRIED, self.candidates(rng), key=self.bound)
        step = max(1, (self.last - max(self.first, word(1 / 16))) // SAMPLE) | 1
        tried = self.measured(promising, step)
        finalists = self.measured(heapq.nsmallest(FINALISTS, tried, key=tried.get))
        return min((error, words) for words, error in finalists.items())

    def search(self):
        rng = random.Random(0)
        best = self.round(rng)
        for _ in range(1, ROUNDS):
            if best[0] > GOOD:
                best = min(best, self.round(rng))
        return best
