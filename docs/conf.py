"""The documentation site: `sphinx-build -W --keep-going -b html docs docs/_build/html`.

It describes the installed package; function_pages.py writes the pages of the functions.
"""

import os
import pathlib
import sys

import gelu_ufunc

DOCS = pathlib.Path(__file__).parent
sys.path[:0] = [str(DOCS), str(DOCS.parent / "bench")]
# The command that a page shows is that of the environment Sphinx runs in.
os.environ["PATH"] = f"{pathlib.Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"

project = "gelu_ufunc"
version = release = gelu_ufunc.__version__
html_title = f"{project} {release}"

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",  # its role `autolink`
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "sphinxcontrib.programoutput",
    "function_pages",
]
default_role = "autolink"  # `name` in a docstring is a link, if something has that name
myst_heading_anchors = 3
copybutton_exclude = ".linenos, .gp, .go"  # prompts and output

nitpicky = True
# There is no network to look up the names of others; of types docstrings speak in prose.
nitpick_ignore_regex = [("py:.*", r"(numpy|np)\..*"), ("py:(class|exc)", ".*")]

html_theme = "pydata_sphinx_theme"
html_theme_options = {
    "navbar_center": [],  # all pages are in the sidebar
    "navbar_persistent": ["search-button-field"],
    "navbar_end": ["theme-switcher"],
    "show_nav_level": 1,
    "show_toc_level": 2,
    "footer_start": [],
    "footer_end": [],
    "navigation_with_keys": False,
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
html_sidebars = {"**": ["all_pages"]}
html_show_sourcelink = False
html_static_path = ["_static"]
html_css_files = ["site.css"]
templates_path = ["_templates"]
exclude_patterns = ["_build"]
