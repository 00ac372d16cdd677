"""The examples of README.md and docs/: every one runs, and none is lost unseen."""

import doctest
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).parents[1]
BLOCK = re.compile(r"^```(python|pycon)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
# Statements of a page's examples; blocks without prompts count as one.
EXAMPLES = {
    "README.md": 6,
    "docs/getting_started.md": 25,
    "docs/simd_levels.md": 3,
    "docs/threads.md": 10,
}
CONFIG = '{"model_type": "gemma", "hidden_act": "gelu", "hidden_activation": null}'

pytestmark = pytest.mark.skipif(
    not (ROOT / "docs" / "index.md").exists(), reason="the documents are not beside the tests"
)


def run(page, globs):
    """Runs a page's blocks, one after the other in one namespace; returns their number."""
    attempted = 0
    for language, code in BLOCK.findall((ROOT / page).read_text()):
        if language == "python":
            exec(compile(code, page, "exec"), globs)
            attempted += 1
            continue
        report = []
        test = doctest.DocTestParser().get_doctest(code, globs, page, page, 0)
        result = doctest.DocTestRunner().run(test, out=report.append, clear_globs=False)
        globs.update(test.globs)
        assert result.failed == 0, "".join(report)
        attempted += result.attempted
    return attempted


@pytest.mark.parametrize("page", EXAMPLES)
def test_examples(page, tmp_path, monkeypatch):
    if page == "docs/threads.md":
        pytest.importorskip("dask.array")
    if page == "docs/getting_started.md":
        pytest.importorskip("ml_dtypes")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "config.json").write_text(CONFIG)  # README.md reads one
    assert run(page, {}) == EXAMPLES[page]


def test_pages_with_examples():
    """Each page that has any is listed above."""
    pages = [ROOT / "README.md", *ROOT.glob("docs/*.md")]
    found = {str(page.relative_to(ROOT)) for page in pages if BLOCK.search(page.read_text())}
    assert found == set(EXAMPLES)


def test_fences_name_a_language():
    """Python without a language would be left out."""
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/*.md")]:
        fences = re.findall(r"^```(.*)$", page.read_text(), re.MULTILINE)
        assert all(fences[::2]), page
        assert not any(fences[1::2]), page
        assert not re.search(r"^```(py|python3|Python|console)\b", page.read_text(), re.MULTILINE)
