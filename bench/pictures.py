"""Draws the pictures of the documentation as SVG."""

import argparse
import pathlib
import statistics
import sys

import matplotlib
import numpy as np
import scipy
from contestants import FUNCTIONS, arrays, contestants, scipy_form
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator
from style import BLUE, GREEN, GREY, ORANGE, PINK, STYLE, note, save
from table_output import cpu_name
from timing import race

from gelu_ufunc import simd

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "tests"))
import reference

LINES = {
    "ReLU": {"color": GREY, "linewidth": 1.2},
    "gelu": {"color": BLUE, "linewidth": 2.8},
    "gelu_tanh": {"color": ORANGE, "linewidth": 1.5, "linestyle": (0, (4, 3))},
    "gelu_sigmoid": {"color": GREEN, "linewidth": 1.8, "linestyle": (0, (6, 1.5, 1, 1.5))},
    "silu": {"color": PINK, "linewidth": 1.8, "linestyle": (0, (1.5, 1))},
}

# ---- the functions


def draw_functions(figure, suffix, relu, x):
    axes = figure.subplots()
    axes.plot(x, relu, label=f"ReLU{suffix}", **LINES["ReLU"])
    for name in ("silu", "gelu", "gelu_sigmoid", "gelu_tanh"):
        axes.plot(x, FUNCTIONS[name + suffix](x), label=name + suffix, **LINES[name])
    axes.set(xlabel="x", xlim=(x[0], x[-1]))
    # Names at the lines would need a magnifying glass: three of them nearly coincide.
    axes.legend(loc="upper left", handlelength=3.5)


def curves(figure):
    x = np.linspace(-5, 1, 601)
    draw_functions(figure, "", np.maximum(x, 0), x)


def derivatives(figure):
    x = np.linspace(-5, 5, 801)
    draw_functions(figure, "_grad", np.heaviside(x, 0.5), x)


# ---- errors


def draw_distance(axes, name, x):
    difference = FUNCTIONS[name](x) - FUNCTIONS["gelu"](x)
    # Between two points the line would miss that it falls to 0.
    difference[1:][np.diff(np.sign(difference)) != 0] = 0
    distance, line = np.abs(difference), LINES[name]
    axes.plot(x, distance, **line)
    top, end = distance.argmax(), np.flatnonzero((distance > 1e-6) & (x < 6.5))[-1]
    axes.plot(x[top], distance[top], "o", color=line["color"])
    text = f"{distance[top]:.3g} at {x[top]:.2f}"
    note(axes, text, (x[top], distance[top]), (0, 8), line["color"], ha="center")
    note(axes, name, (x[end], distance[end]), (8, 4), line["color"])


def approximation(figure):
    axes = figure.subplots()
    x = np.linspace(0, 8, 8001)[1:]
    for name in ("silu", "gelu_sigmoid", "gelu_tanh"):
        draw_distance(axes, name, x)
    axes.set_yscale("log", nonpositive="clip")
    axes.set(xlabel="|x|", ylabel="|difference from gelu|", ylim=(1e-8, 1), xlim=(0, 8))


def tail_points():
    """(bin edges, a row of float32 numbers per bin): each bin shows its largest error, because
    single ones jump between that and almost 0."""
    edges = np.linspace(-14, 0, 141)
    share = np.random.default_rng(1).uniform(0, 1, (edges.size - 1, 128))
    return edges, (edges[:-1, None] + share * np.diff(edges)[:, None]).astype(np.float32)


def tail(figure):
    edges, x = tail_points()
    exact = reference.evaluate("gelu", x)
    form = np.empty_like(x)
    scipy_form(x, form)
    axes = figure.subplots()
    for values, color in ((form, ORANGE), (FUNCTIONS["gelu"](x), BLUE)):
        axes.stairs(exact.error(values).max(1), edges, baseline=None, color=color, linewidth=1.6)
    top = "0.5 * x * (1 + erf(x / sqrt(2)))"
    note(axes, top, (-9.4, 1.7e7), (0, 7), ORANGE, ha="center")
    below = f"0, that is, 100 % off, below \N{MINUS SIGN}{-x[form != 0].min():.2f}"
    note(axes, below, (-9.4, 1.2e7), (0, -16), ORANGE, ha="center")
    note(axes, "gelu", (-9.4, 0.5), (0, 7), BLUE, ha="center")
    subnormal = reference.underflow_edges("gelu", x.dtype)[1]
    axes.axvline(subnormal, color=GREY, linewidth=1, linestyle=":")
    note(axes, "\N{LEFTWARDS ARROW} results are subnormal", (subnormal, 300), (5, 0), GREY)
    axes.set(xlabel="x", ylabel="largest error in float32, ULP", yscale="log")
    axes.set(xlim=(-14, 0), ylim=(0.1, 3e8))


# ---- speed

SPEED_LINES = {
    "SciPy: x(1+erf)/2": {"color": ORANGE, "marker": "s"},
    "gelu": {"color": BLUE, "marker": "o", "linewidth": 2.2},
    "np.tanh": {"color": GREEN, "marker": "^"},
    "np.copyto": {"color": GREY, "marker": "D"},
}
SPEED_SIZES = [1 << power for power in range(6, 25, 2)]
ROUNDS = 15


def elements_text(size, _):
    unit, shift = ("M", 20) if size >= 1 << 20 else ("K", 10) if size >= 1 << 10 else ("", 0)
    return f"{int(size) >> shift}{unit}"


def ns_per_element(dtype, size):
    x, out = arrays("real", size, dtype)
    calls = contestants(["gelu"], x, out)
    times = race({name: calls[name] for name in SPEED_LINES}, ROUNDS)
    return [statistics.median(times[name]) / size for name in SPEED_LINES]


def draw_speed(axes, dtype):
    columns = zip(*(ns_per_element(dtype, size) for size in SPEED_SIZES), strict=True)
    for (name, line), values in zip(SPEED_LINES.items(), columns, strict=True):
        axes.plot(SPEED_SIZES, values, label=name, markersize=4.5, **line)
    axes.set_title(dtype)
    axes.set(xscale="log", yscale="log", xlabel="elements")
    axes.xaxis.set_major_locator(FixedLocator(SPEED_SIZES[::2]))
    axes.xaxis.set_major_formatter(FuncFormatter(elements_text))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))


def environment():
    versions = f"NumPy {np.__version__}, SciPy {scipy.__version__}"
    return f"{cpu_name()}, SIMD level {simd.level()}, one thread; {versions}"


def speed(figure):
    panels = figure.subplots(1, 2, sharey=True)
    for axes, dtype in zip(panels, ("float32", "float64"), strict=True):
        draw_speed(axes, dtype)
    panels[0].set_ylabel("ns per element")
    figure.supxlabel(environment(), fontsize="small")
    figure.legend(handles=panels[0].lines, loc="outside upper center", ncols=4)


# ---- command line

PICTURES = {f.__name__: f for f in (curves, derivatives, approximation, tail, speed)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "pictures", nargs="*", metavar="picture", help=f"of {', '.join(PICTURES)}; default: all"
    )
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("docs/images"))
    options = parser.parse_args()
    unknown = set(options.pictures) - set(PICTURES)
    if unknown:
        parser.error(f"no such picture: {', '.join(sorted(unknown))}")
    matplotlib.rcParams.update(STYLE)
    options.output.mkdir(parents=True, exist_ok=True)
    for name in options.pictures or PICTURES:
        figure = Figure(figsize=(7.2, 4), layout="constrained")
        PICTURES[name](figure)
        file = options.output / f"{name}.svg"
        save(figure, file)
        print(file)


if __name__ == "__main__":
    main()
