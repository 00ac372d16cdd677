"""A Sphinx extension: writes a page for each function, of what the package and docs/accuracy.md say
of it, and makes links of the names of pages."""

import pathlib
import re

import matplotlib
import numpy as np
from docutils import nodes
from matplotlib.figure import Figure
from sphinx import addnodes
from style import BLUE, GREY, ORANGE, STYLE, note, save

from gelu_ufunc import _core

DOCS = pathlib.Path(__file__).parent
FOLDER = DOCS / "functions"

# ---- pictures


def draw_curve(axes, ufunc):
    x = np.linspace(-4, 4, 801)
    y = ufunc(x)
    axes.plot(x, y, color=BLUE, linewidth=2.2)
    axes.set(title=ufunc.__name__, xlabel="x", xlim=(-4, 4), ylim=(min(y.min(), 0) - 0.2, 2))
    lowest = y.argmin()
    if 0 < lowest < x.size - 1:
        axes.plot(x[lowest], y[lowest], "o", color=BLUE)
        text = f"{y[lowest]:.3f} at {x[lowest]:.2f}".replace("-", "\N{MINUS SIGN}")
        note(axes, text, (x[lowest], y[lowest]), (0, 14), BLUE, ha="center")


def draw_error(axes, ufunc, limit):
    """The largest error in each of many intervals, from where results stop changing to 8: single
    ones jump between that and almost 0. The float64 function is right to 2^-28 ULP of float32."""
    x = np.arange(-120, 0, 0.25, np.float32)
    edges = np.linspace(x[ufunc(x) != ufunc(x[0])][0] - 0.5, 8, 161)
    share = np.random.default_rng(1).uniform(0, 1, (edges.size - 1, 256))
    x = (edges[:-1, None] + share * np.diff(edges)[:, None]).astype(np.float32)
    exact = ufunc(x.astype(np.float64))
    error = np.abs(ufunc(x) - exact) / np.spacing(np.abs(exact).astype(np.float32))
    axes.stairs(error.max(axis=1), edges, baseline=None, color=BLUE, linewidth=1.4)
    axes.axhline(limit, color=ORANGE, linewidth=1.4, linestyle="--")
    note(axes, "limit", (8, limit), (-2, 4), ORANGE, ha="right")
    axes.set(title="largest error in float32, ULP", xlabel="x")
    axes.set(xlim=(edges[0], 8), ylim=(0, 1.15 * limit))


def draw_one(figure, row):
    ufunc = _core.ufuncs[row["name"]]
    left, right = figure.subplots(1, 2)
    draw_curve(left, ufunc)
    draw_error(right, ufunc, row["limits"]["float32"]["ulp"])


def draw_two(figure, row):
    ufunc = _core.ufuncs[row["name"]]
    first, second = re.findall(r"^(\w+) : array_like$", ufunc.__doc__, re.MULTILINE)[:2]
    grid = np.linspace(-4, 4, 161)
    z = ufunc(grid[None, :], grid[:, None])
    axes = figure.subplots()
    largest = np.abs(z).max()
    colours = axes.contourf(grid, grid, z, 24, cmap="RdBu_r", vmin=-largest, vmax=largest)
    axes.contour(grid, grid, z, [0], colors=GREY, linewidths=1)
    axes.grid(False)
    axes.set(title=ufunc.__name__, xlabel=first, ylabel=second, aspect="equal")
    figure.colorbar(colours)


# ---- pages

PAGE = """\
# {name}

```{{image}} {name}.svg
:alt: {alt}
```

```{{eval-rst}}
.. currentmodule:: gelu_ufunc
.. autofunction:: {name}
```
"""

ERRORS = """
## Measured errors

From `docs/accuracy.md`, which says how they were measured.

{}
"""

INDEX = """\
# Functions

Each is a {{py:class}}`numpy.ufunc` of `gelu_ufunc`.
{}
```{{toctree}}
:hidden:

{}
```
"""

PARTS = (
    ("Of one number", _core._registry, draw_one, "the curve, and the largest error in float32"),
    ("Of two numbers", _core._compositions, draw_two, "its value, by both arguments"),
)


def tables(name):
    """Of the tables in docs/accuracy.md those rows that are the function's."""
    for table in re.findall(r"(?:^\|.*\n)+", (DOCS / "accuracy.md").read_text(), re.MULTILINE):
        head, rule, *rows = table.splitlines()
        own = [row for row in rows if row.split("|")[1].strip() == name]
        if own:
            yield "\n".join([head, rule, *own])


def summary(name):
    """The docstring's first paragraph; NumPy has put the signature before it."""
    return _core.ufuncs[name].__doc__.split("\n\n")[1].replace("\n", " ")


def write_pages(app):
    matplotlib.rcParams.update(STYLE)
    FOLDER.mkdir(exist_ok=True)
    overview, pages = "", []
    for title, rows, draw, alt in PARTS:
        overview += f"\n## {title}\n\n| function | |\n|---|---|\n"
        for row in rows():
            name = row["name"]
            figure = Figure(figsize=(8.4, 3.4), layout="constrained")
            draw(figure, row)
            save(figure, FOLDER / f"{name}.svg")
            errors = "\n\n".join(tables(name))
            page = PAGE.format(name=name, alt=alt) + (ERRORS.format(errors) if errors else "")
            (FOLDER / f"{name}.md").write_text(page)
            overview += f"| [{name}]({name}.md) | {summary(name)} |\n"
            pages.append(name)
    (FOLDER / "index.md").write_text(INDEX.format(overview, "\n".join(pages)))


# ---- links: on GitHub `docs/kernels.md` is a name, here it is a link


def page_of(name):
    if name in ("CONTRIBUTING.md", "CHANGELOG.md"):
        return name.removesuffix(".md").lower()
    return name.removeprefix("docs/").removesuffix(".md") if name.startswith("docs/") else None


def link_pages(app, doctree):
    here = app.env.current_document.docname
    for literal in list(doctree.findall(nodes.literal)):
        page = page_of(literal.astext())
        if page not in app.env.found_docs or page == here:
            continue
        link = addnodes.pending_xref(
            refdomain="std", reftype="doc", reftarget=f"/{page}", refdoc=here, refexplicit=True
        )
        literal.replace_self(link)
        link += literal


def setup(app):
    app.connect("builder-inited", write_pages)
    app.connect("doctree-read", link_pages)
    return {"parallel_read_safe": True}
