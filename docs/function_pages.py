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


def inputs(ufunc):
    """Their names, by the docstring; NumPy calls those of all ufuncs x, or x1 and x2."""
    return re.findall(r"^(\w+) : array_like$", ufunc.__doc__, re.MULTILINE)[: ufunc.nin]


# ---- pictures


def draw_curve(axes, ufunc):
    x = np.linspace(-4, 4, 801)
    y = ufunc(x)
    axes.plot(x, y, color=BLUE, linewidth=2.2)
    axes.set(title=ufunc.__name__, xlabel="x", xlim=(-4, 4), ylim=(min(y.min(), 0) - 0.4, 2))
    lowest = y.argmin()
    if 0 < lowest < x.size - 1:
        axes.plot(x[lowest], y[lowest], "o", color=BLUE)
        text = f"{y[lowest]:.3f} at {x[lowest]:.2f}".replace("-", "\N{MINUS SIGN}")
        note(axes, text, (x[lowest], y[lowest]), (0, -18), BLUE, ha="center")


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
    axes.set(title="float32 error, ULP: the largest\nof 256 samples per interval", xlabel="x")
    axes.set(xlim=(edges[0], 8), ylim=(0, 1.15 * limit))


def draw_map(figure, axes, ufunc):
    first, second = inputs(ufunc)
    grid = np.linspace(-4, 4, 161)
    z = ufunc(grid[None, :], grid[:, None])
    largest = np.abs(z).max()
    colours = axes.contourf(grid, grid, z, 24, cmap="RdBu_r", vmin=-largest, vmax=largest)
    axes.contour(grid, grid, z, [0], colors=GREY, linewidths=1)
    axes.grid(False)
    axes.set(title=ufunc.__name__, xlabel=first, ylabel=second, aspect="equal")
    figure.colorbar(colours)


def new_figure(width=3.7):
    """Two of them stand side by side where there is room."""
    figure = Figure(figsize=(width, 3.3), layout="constrained")
    return figure, figure.subplots()


def pictures_of_one(row):
    ufunc = _core.ufuncs[row["name"]]
    curve, axes = new_figure()
    draw_curve(axes, ufunc)
    error, axes = new_figure()
    draw_error(axes, ufunc, row["limits"]["float32"]["ulp"])
    return {"curve": curve, "error": error}


def pictures_of_two(row):
    ufunc = _core.ufuncs[row["name"]]
    figure, axes = new_figure(4.4)
    draw_map(figure, axes, ufunc)
    return {"map": figure}


# ---- pages: in reStructuredText, the docstrings' language

PAGE = """\
{name}
{line}

{images}
.. currentmodule:: gelu_ufunc
.. autofunction:: {name}
"""

ERRORS = """
Measured errors
---------------

How they were measured: :doc:`/accuracy`.
"""

INDEX = """\
Functions
=========

.. module:: gelu_ufunc

Each is a `numpy.ufunc` of the module ``gelu_ufunc``.
{}
.. toctree::
   :hidden:

   {}
"""

PARTS = (
    ("Of one number", _core._registry, pictures_of_one),
    ("Of two numbers", _core._compositions, pictures_of_two),
)
ALTERNATIVES = {
    "curve": "The curve",
    "error": "The largest float32 error of 256 samples in each of many intervals",
    "map": "Its value, by both arguments",
}


def table(rows, title=""):
    """The first row is the head."""
    lines = [", ".join(f'"{cell}"' for cell in row) for row in rows]
    return "\n   ".join([f"\n.. csv-table:: {title}", ":header-rows: 1", "", *lines]) + "\n"


def measured(name):
    """Of the tables in docs/accuracy.md those rows that are the function's."""
    for section in (DOCS / "accuracy.md").read_text().split("\n## ")[1:]:
        title, *lines = section.splitlines()
        cells = [re.split(r"\s*\|\s*", line)[1:-1] for line in lines if line.startswith("|")]
        own = [row[1:] for row in cells[2:] if row[0] == name]
        if own:
            yield table([cells[0][1:], *own], title)


def page(name, pictures):
    images = "".join(
        f".. image:: {name}-{kind}.svg\n   :alt: {ALTERNATIVES[kind]}\n" for kind in pictures
    )
    errors = "".join(measured(name))
    text = PAGE.format(name=name, line="=" * len(name), images=images)
    return text + (ERRORS + errors if errors else "")


def summary(name):
    """The docstring's first paragraph; NumPy has put the signature before it."""
    return _core.ufuncs[name].__doc__.split("\n\n")[1].replace("\n", " ")


def signature(app, what, name, thing, options, arguments, result):
    if isinstance(thing, np.ufunc):
        return f"({', '.join(inputs(thing))}, /, out=None, *, where=True, **kwargs)", None
    return None


def write_pages(app):
    matplotlib.rcParams.update(STYLE)
    FOLDER.mkdir(exist_ok=True)
    overview, names = "", []
    for title, rows, draw in PARTS:
        names_here = [row["name"] for row in rows()]
        for row in rows():
            name, pictures = row["name"], draw(row)
            for kind, figure in pictures.items():
                save(figure, FOLDER / f"{name}-{kind}.svg")
            (FOLDER / f"{name}.rst").write_text(page(name, pictures))
        links = [(f":doc:`{name}`", summary(name)) for name in names_here]
        overview += f"\n{title}\n{'-' * len(title)}\n{table([('function', ''), *links])}"
        names += names_here
    (FOLDER / "index.rst").write_text(INDEX.format(overview, "\n   ".join(names)))


# ---- links: on GitHub `docs/kernels.md` is a name, here it is a link


def page_of(name):
    if name in ("CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"):
        return name.removesuffix(".md").lower()
    if name in ("examples/", "examples/README.md"):
        return "examples"
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
    app.connect("autodoc-process-signature", signature)
    app.connect("doctree-read", link_pages)
    return {"parallel_read_safe": True}
