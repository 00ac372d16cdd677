"""What a row of the registry needs elsewhere is there, and the package imports as it should."""

import ast
import doctest
import inspect
import json
import pathlib
import pydoc
import re
import subprocess
import sys
import sysconfig

import numpy as np
import pytest
import reference
from compositions import COMPOSED, ROWS
from helpers import CASES, LIMITS

import gelu_ufunc
from gelu_ufunc import _core

PACKAGE = pathlib.Path(gelu_ufunc.__file__).parent
SOURCE = pathlib.Path(__file__).parents[1] / "gelu_ufunc"
ALL_LIMITS = {**LIMITS, **{name: row["limits"] for name, row in ROWS.items()}}
PUBLIC = {
    *ALL_LIMITS,
    *("get_include", "get_library_dir", "show_config", "simd", "threaded", "variants"),
}


@pytest.fixture(params=ALL_LIMITS)
def any_ufunc(request):
    """A function of one or of two numbers."""
    return getattr(gelu_ufunc, request.param)


def test_names_agree():
    exported = {name for name, value in vars(gelu_ufunc).items() if isinstance(value, np.ufunc)}
    assert set(_core.ufuncs) == set(ALL_LIMITS)
    assert exported == set(ALL_LIMITS)
    assert set(reference.FUNCTIONS) == set(LIMITS)
    assert {row["function"] for row in ROWS.values()} <= set(LIMITS)


def test_public_names():
    """The star import shows what the package exports: nothing is missing, nothing leaks."""
    names = {}
    exec("from gelu_ufunc import *", names)
    assert names.keys() - {"__builtins__"} == PUBLIC
    assert sorted(gelu_ufunc.__all__) == sorted(PUBLIC)
    assert set(dir(gelu_ufunc)) > PUBLIC
    others = {name for name in vars(gelu_ufunc) if not name.startswith("_")}
    assert others <= PUBLIC | {"variants"}


def test_help_names_what_is_public():
    """Beside the ufuncs, which pydoc lists, with a text."""
    text = pydoc.plain(pydoc.render_doc(gelu_ufunc))
    description = text.partition("\nPACKAGE CONTENTS\n")[0]
    functions = text.partition("\nFUNCTIONS\n")[2].partition("\nDATA\n")[0]
    listed = set(re.findall(r"^    (?!__)(\w+)\(", functions, re.MULTILINE))
    assert listed == {"get_include", "get_library_dir", "show_config", "threaded"}
    for name in PUBLIC - ALL_LIMITS.keys():
        assert re.search(rf"`{name}`", description), name
    data = text.partition("\nDATA\n")[2]
    for name in ALL_LIMITS:
        assert f"    {name} = <ufunc" in data


def stub_nodes(kind):
    tree = ast.parse((PACKAGE / "__init__.pyi").read_text())
    return [node for node in tree.body if isinstance(node, kind)]


def annotations():
    return {node.target.id: ast.unparse(node.annotation) for node in stub_nodes(ast.AnnAssign)}


def test_stub_has_a_line(any_ufunc):
    kind = {1: "_UnaryUFunc", 2: "_BinaryUFunc"}[any_ufunc.nin]
    assert annotations()[any_ufunc.__name__] == f"Final[{kind}]"
    assert (PACKAGE / "py.typed").exists()


def test_stub_exports_what_is_public():
    """It has no __all__: a type checker takes what is annotated, or imported under its own name."""
    imported = {each.asname for node in stub_nodes(ast.ImportFrom) for each in node.names}
    annotated = {name for name in annotations() if not name.startswith("_")}
    assert (annotated | imported) - {None} == PUBLIC


def test_limits_are_sane():
    for limits in ALL_LIMITS.values():
        assert list(limits) == ["float16", "bfloat16", "float32", "float64"]
        for dtype, limit in limits.items():
            assert 0 < limit["ulp"] <= limit["ulp_no_fma"] <= 4.5
            assert limit["ulp"] <= 2.5
            assert (limit["ulp_no_fma"] < 0.51) == dtype.endswith("float16")


# ---- docstrings


def test_docstring_sections(any_ufunc):
    doc = any_ufunc.__doc__
    assert re.search(r"Computes ``[^`]+``", doc), "no formula"
    for section in ("Parameters", "Returns", "See Also", "Notes", "Examples"):
        assert f"\n{section}\n{'-' * len(section)}\n" in doc
    lines = doc.splitlines()[1:]  # the first one is NumPy's
    assert max(map(len, lines)) <= 100


def related(ufunc):
    section = ufunc.__doc__.partition("\nSee Also\n")[2].partition("\nNotes\n")[0]
    return dict(re.findall(r"^(\w+) : (.+)$", section.replace("\n    ", " "), re.MULTILINE))


def test_see_also(any_ufunc):
    """Each name once, with the first line of its docstring."""
    others = related(any_ufunc)
    assert others
    assert any_ufunc.__name__ not in others
    for name, summary in others.items():
        assert summary in getattr(gelu_ufunc, name).__doc__.splitlines()


@pytest.mark.parametrize("name", ROWS)
def test_see_also_names_the_compositions(name):
    """A function of two numbers and those that it is made of name each other."""
    for function in related(getattr(gelu_ufunc, name)):
        assert name in related(getattr(gelu_ufunc, function))


def test_see_also_of_gelu():
    names = ("gelu_grad", "gelu_tanh", "gelu_sigmoid", "erf", "gelu_backward", "bias_gelu", "geglu")
    assert tuple(related(gelu_ufunc.gelu)) == names
    assert "swish" in related(gelu_ufunc.silu)


@pytest.mark.parametrize("case", [*CASES, *COMPOSED], ids=str)
def test_docstring_states_the_limits(case):
    """On the dtype's line: the registry's figures and no others."""
    limit = ALL_LIMITS[case.name][case.dtype.name]
    [line] = re.findall(rf"^- {case.dtype.name}: (.*)$", case.ufunc.__doc__, re.MULTILINE)
    stated = {float(figure) for figure in re.findall(r"([\d.]+) ULP", line)}
    assert stated == {limit["ulp"], limit["ulp_no_fma"]}


def stated(doc, pattern):
    found = re.finditer(pattern, " ".join(doc.split()))
    return [tuple(map(float, match.groups())) for match in found]


def derivative_zero(name):
    return reference.derivative_zero(name) if name in reference.FUNCTIONS else None


def test_docstring_figures(ufunc):
    """Minima, zeros and distances from gelu, to the digits that they are stated with."""
    name, doc = ufunc.__name__, ufunc.__doc__
    minima = stated(doc, r"minimum is (-[\d.]+) at x = (-\d+\.\d+)")
    zeros = stated(doc, r"zero at x = (-\d+\.\d+)")
    distances = stated(doc, r"differs from `gelu` by at most ([\d.e-]+), at x = (-\d+\.\d+)")
    assert len(minima) == (derivative_zero(f"{name}_grad") is not None)
    assert len(zeros) == (derivative_zero(name) is not None)
    assert len(distances) == (name in ("gelu_tanh", "gelu_sigmoid"))
    for value, x in minima:
        where = derivative_zero(f"{name}_grad")
        assert abs(where - x) < 5.1e-6
        assert abs(reference.FUNCTIONS[name](where) - value) < 5.1e-7
    for (x,) in zeros:
        assert abs(derivative_zero(name) - x) < 5.1e-6
    for distance, x in distances:
        grid = np.arange(-600, 0) / 100
        exact = [reference.evaluate(each, grid).rounded for each in (name, "gelu")]
        difference = np.abs(exact[0] - exact[1])
        assert abs(difference.max() / distance - 1) < 2e-3
        assert grid[difference.argmax()] == x


def run_doctest(text, name):
    test = doctest.DocTestParser().get_doctest(text, {}, name, None, 0)
    report = []
    result = doctest.DocTestRunner().run(test, out=report.append)
    assert result.failed == 0, "".join(report)
    return result.attempted


def test_examples_of_the_functions(any_ufunc, level):
    """On every level. doctest finds nothing on a ufunc by itself; so the number is asserted."""
    assert run_doctest(any_ufunc.__doc__, any_ufunc.__name__) >= 3


@pytest.mark.parametrize(
    ("module", "count"),
    [(gelu_ufunc, 3), (gelu_ufunc._config, 2), (gelu_ufunc._paths, 6), (gelu_ufunc.simd, 4)],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_examples_of_the_modules(module, count):
    result = doctest.testmod(module)
    assert result.failed == 0
    assert result.attempted == count


def test_signature(any_ufunc):
    if np.lib.NumpyVersion(np.__version__) < "2.4.0":
        pytest.skip("ufuncs have a signature from NumPy 2.4 on")
    like = {1: np.exp, 2: np.arctan2}[any_ufunc.nin]
    assert str(inspect.signature(any_ufunc)) == str(inspect.signature(like))
    parameters = any_ufunc.__doc__.partition("\nParameters\n")[2].partition("\nReturns\n")[0]
    inputs = {
        "gradient": ("grad_output", "x"),
        "gate": ("gate", "up"),
        "sum": ("x", "bias"),
        "swish": ("x", "beta"),
    }.get(ROWS.get(any_ufunc.__name__, {}).get("composition"), ("x",))
    for parameter in (*inputs, "out", "where", r"\*\*kwargs"):
        assert re.search(rf"^{parameter} ?:?", parameters, re.MULTILINE)


# ---- import


def run_python(code, **options):
    return subprocess.run(
        [sys.executable, "-P", "-c", code], capture_output=True, text=True, **options
    )


def import_error(code):
    """The ImportError's text; there must be one."""
    run = run_python(
        f"{code}\ntry:\n import gelu_ufunc\nexcept ImportError as e: print(type(e), e)"
    )
    assert run.returncode == 0, run.stderr
    assert "ImportError'" in run.stdout
    return run.stdout


def test_import_from_the_unbuilt_source():
    if not (SOURCE / "_core.pyx").exists() or list(SOURCE.glob("_core.*.so")):
        pytest.skip("the unbuilt source is not beside the tests")
    message = import_error(f"import sys; sys.path.insert(0, {str(SOURCE.parent)!r})")
    assert str(SOURCE) in message
    assert "pip install" in message


def test_import_with_an_old_numpy(tmp_path):
    (tmp_path / "numpy.py").write_text("__version__ = '1.26.4'")
    message = import_error(f"import sys; sys.path.insert(0, {str(tmp_path)!r})")
    assert "1.26.4" in message
    assert "pip install" in message


def test_import_needs_numpy_alone():
    code = """
import sys, json, numpy
before = set(sys.modules)
import gelu_ufunc
new = {name.partition(".")[0] for name in set(sys.modules) - before}
print(json.dumps(sorted(new - set(sys.stdlib_module_names))))
"""
    run = run_python(code)
    assert run.returncode == 0, run.stderr
    # Cython registers its run-time's version under a name of its own.
    imported = [name for name in json.loads(run.stdout) if not name.startswith("_cython")]
    assert set(imported) <= {"gelu_ufunc", "numpy", "cython_runtime", "ml_dtypes"}


def test_import_takes_no_detours():
    """What takes long to import, and is of use to few, is imported when it is used."""
    code = """
import sys, numpy
before = set(sys.modules)
import gelu_ufunc
new = set(sys.modules) - before
own = {"gelu_ufunc.variants", "gelu_ufunc._threaded"}
print(sorted(new & {*own, "json", "pathlib", "concurrent.futures", "argparse"}))
print({"variants", "threaded"} <= set(dir(gelu_ufunc)))
print(gelu_ufunc.threaded(gelu_ufunc.gelu, 1)(0.0))
print(gelu_ufunc.variants.lookup("gelu", framework="jax").name)
try:
    gelu_ufunc.gleu
except AttributeError as error:
    print(error)
"""
    run = run_python(code)
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines() == [
        "[]",
        "True",
        "0.0",
        "gelu_tanh",
        "module 'gelu_ufunc' has no attribute 'gleu'",
    ]


@pytest.mark.skipif(not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="a Python with a GIL")
def test_import_leaves_the_gil_off():
    """A module that does not say that it does without turns it on again."""
    hide = "import sys; sys.modules['ml_dtypes'] = None"
    run = run_python(f"{hide}; import gelu_ufunc; print(sys._is_gil_enabled())")
    assert run.stdout == "False\n", run.stderr


def test_show_config(capsys):
    gelu_ufunc.show_config()
    text = capsys.readouterr().out
    for part in (gelu_ufunc.__version__, np.__version__, gelu_ufunc.simd.level(), "ml_dtypes"):
        assert part in text


# ---- releases


@pytest.fixture
def root():
    """The folder of the files that are not installed."""
    if not (SOURCE.parent / "meson.build").exists():
        pytest.skip("the source is not beside the tests")
    return SOURCE.parent


def test_version():
    assert re.fullmatch(r"\d+\.\d+\.\d+([.\w+]*)", gelu_ufunc.__version__)


def test_versions_agree(root):
    """That of the newest release in CHANGELOG.md, and its date, in all files that have them."""
    found = {
        name: re.search(pattern, (root / name).read_text(encoding="utf-8"), re.MULTILINE)
        for name, pattern in {
            "CHANGELOG.md": r"^## \[(\d[^]]*)\] - (\S+)$",
            "CITATION.cff": r"^version: (.+)\ndate-released: (.+)$",
            "meson.build": r"^  version: '(.+)',$",
        }.items()
    }
    assert {name: match[1] for name, match in found.items()} == dict.fromkeys(
        found, gelu_ufunc.__version__
    )
    assert found["CITATION.cff"][2] == found["CHANGELOG.md"][2]


def test_changelog_names_what_is_public(root):
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    missing = [name for name in PUBLIC if not re.search(rf"`(gelu_ufunc\.)?{name}\b", text)]
    assert not missing
