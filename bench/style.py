"""How pictures look: those of the documents (pictures.py) and of the functions' pages
(docs/function_pages.py)."""

# Nothing here knows the page's background: each colour's contrast is 3.6 or more with white and
# with GitHub's dark. Hues are those of Okabe and Ito, and no two lines share a pattern too.
GREY, BLUE, ORANGE, GREEN, PINK = "#757d88", "#1f7fc4", "#d55e00", "#00946c", "#c4629c"

STYLE = {
    "svg.fonttype": "path",  # looks the same whatever fonts the reader has
    "svg.hashsalt": "gelu_ufunc",  # the same picture is the same file
    "font.size": 11,
    "text.color": GREY,
    "axes.edgecolor": GREY,
    "axes.labelcolor": GREY,
    "xtick.color": GREY,
    "ytick.color": GREY,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": GREY,
    "grid.alpha": 0.25,
    "legend.frameon": False,
    "legend.labelcolor": "linecolor",
    "axes.titlesize": 11,
    "axes.titlelocation": "left",
}


def note(axes, text, point, offset, color, **options):
    """Text at an offset in points."""
    axes.annotate(text, point, offset, color=color, textcoords="offset points", **options)


def save(figure, file):
    """Without a date: it would change the file of an unchanged picture."""
    metadata = {"Date": None, "Title": file.stem}
    figure.savefig(file, transparent=True, metadata=metadata)
