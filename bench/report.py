"""Writes what the other scripts here and proof_float32 print into documents, between markers.

--check says which of it is stale."""

import argparse
import hashlib
import pathlib
import re
import subprocess
import sys

from tabulate import tabulate

import gelu_ufunc
from gelu_ufunc import _core

BENCH = pathlib.Path(__file__).parent
ROOT = BENCH.parent
PEERS = "compare.py --dtypes float32 float64 --sizes 128K"
X86_LEVELS = ("avx512", "avx2", "baseline")
BY_SIZE = "compare.py --by-size --dtypes float32 float64 --sizes 4K 128K 16M --repeat 15"
BY_DATA = "compare.py --by-data --dtypes float32 float64 --sizes 128K"
# What stands between <!-- name:begin --> and <!-- name:end --> in each document.
DOCUMENTS = {
    "README.md": {
        "speed": "compare.py --dtypes float32 float64 --sizes 128K --data real --functions gelu "
        "gelu_grad",
        "calls": "compare.py --calls --dtypes float32 float64 --functions gelu gelu_grad",
    },
    "docs/accuracy.md": {"accuracy": "accuracy.py --density 30"},
    "docs/agreement.md": {
        dtype: f"agreement.py --dtype {dtype}" for dtype in ("float32", "float16", "float64")
    },
    "docs/facts.md": {"facts": "facts.py"},
    "docs/comparison.md": {
        "avx512": f"{PEERS} --simd avx512 --peers",
        "avx2": f"{PEERS} --simd avx2 --peers",
        "half": "compare.py --dtypes float16 bfloat16 --sizes 128K --simd avx512 --peers",
        "memory": "compare.py --dtypes float32 --sizes 16M --functions gelu gelu_grad gelu_tanh "
        "silu --repeat 15 --simd avx512 --peers speed",
    },
    "docs/threads.md": {"threads": "threads.py --dtypes float32 float64 --repeat 15"},
    "docs/kernels.md": {"table": "steps.py -1.0", "tail": "steps.py -6.7"},
    "docs/performance.md": {
        **{f"speed-{level}": f"{BY_SIZE} --simd {level}" for level in X86_LEVELS},
        **{f"data-{level}": f"{BY_DATA} --simd {level}" for level in X86_LEVELS},
        "calls": "compare.py --calls --dtypes float32 float64",
        "fused": "fused.py --repeat 15",
        **{f"ports-{level}": f"ports.py {level}" for level in ("avx512", "avx2", "neon")},
        "kinds": "ports.py neon --kinds gelu",
    },
}


def section(name):
    return re.compile(rf"(?<=<!-- {name}:begin -->\n).*(?=<!-- {name}:end -->)", re.DOTALL)


def written(document, name):
    return section(name).search((ROOT / document).read_text()).group()


def output(script, *arguments):
    command = [sys.executable, str(BENCH / script), *arguments, "--markdown"]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def replace(document, name, content):
    path = ROOT / document
    text, count = section(name).subn(lambda _: content, path.read_text())
    if count != 1:
        sys.exit(f"{document} has {count} sections {name}")
    path.write_text(text)


# ---- accuracy: the full table in docs/accuracy.md, and its summary in README.md


def accuracy_rows():
    """(function, dtype, levels, error, limit) of the full table."""
    lines = written("docs/accuracy.md", "accuracy").splitlines()
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if "|" in line]
    for name, dtype, levels, _, error, limit, _ in cells[2:]:
        yield name, dtype, set(levels.split(", ")), float(error), float(limit)


def without_fma():
    return {level["name"] for level in _core._levels() if not level["has_fma"]}


def summary():
    """The largest errors by function, dtype and kind of level, of what is not correctly rounded."""
    table = {}
    for name, dtype, levels, error, limit in accuracy_rows():
        if limit == 0.5:
            continue
        for kind, known in (("", levels - without_fma()), (", no FMA", levels & without_fma())):
            if known:
                table.setdefault(name, {})[dtype + kind] = f"{error:.3f} (limit {limit:g})"
    columns = {column for row in table.values() for column in row}
    columns = sorted(columns, key=lambda column: ("," in column, column))
    rows = [[name, *(row.get(column, "") for column in columns)] for name, row in table.items()]
    return tabulate(rows, ["ULP", *columns], "github") + "\n"


def check():
    """What the table says that the registry does not, or the reverse."""
    promises = {
        (row["name"], dtype): limits
        for row in _core._registry()
        for dtype, limits in row["limits"].items()
    }
    rows = list(accuracy_rows())
    for name, dtype, levels, error, limit in rows:
        promise = promises.get((name, dtype), {})
        kinds = {"ulp_no_fma" if level in without_fma() else "ulp" for level in levels}
        agrees = {limit} == {promise.get(kind) for kind in kinds}
        if not agrees or error > limit:
            yield f"{name}, {dtype}, {', '.join(levels)}: the registry says {promise}"
    for missing in promises.keys() - {row[:2] for row in rows}:
        yield f"{', '.join(missing)}: missing"
    yield from beyond_the_proof(rows)
    if written("README.md", "accuracy") != summary():
        yield "README.md has another summary"


def beyond_the_proof(rows):
    """A sampled error of float32 above that of all numbers: one of them must be wrong."""
    proven = re.findall(
        r"^\| (\w+) +\| (\w+) +\| ([\d.]+) ", written("docs/accuracy.md", "proof"), re.M
    )
    proven = {(name, level): float(error) for name, level, error in proven}
    for name, dtype, levels, error, _ in rows:
        for level in levels:
            if dtype == "float32" and error > proven.get((name, level), error) + 0.0006:
                yield f"{name}, {level}: {error} among some, {proven[name, level]} among all"


# ---- what is stale: errors when the bits of a result are others, times with every version


def bits():
    """A line that changes with the bits of any result: they are hashed in tests/c/hashes.h."""
    hashes = re.findall("0x[0-9a-f]{16}", (ROOT / "tests" / "c" / "hashes.h").read_text())
    digest = hashlib.sha256(" ".join(hashes).encode()).hexdigest()
    return f"\nOf results whose hashes have the SHA-256 {digest[:16]}.\n"


def of_version():
    return f"\n\nOf gelu_ufunc {gelu_ufunc.__version__}.\n"


BY_BITS = ("accuracy.py", "agreement.py")
BY_VALUE = ("steps.py",)  # computed again at each check; facts.py is, by tests/test_facts.py


def problem(table, command):
    script = command.split()[0]
    if script in BY_BITS:
        return "the bits of results are others now" if bits() not in table else None
    if script in BY_VALUE:
        return "other numbers" if table != output(*command.split()) else None
    if script == "facts.py":
        return None
    if f"`python bench/{command} --markdown`" not in table:
        return "by another command"
    if script != "ports.py" and f"gelu_ufunc {gelu_ufunc.__version__}," not in table:
        return "of another version"
    if "--functions" in command or "--kinds" in command or not {"compare", "ports"} & {script[:-3]}:
        return None
    names = {cell.strip() for line in table.splitlines() for cell in line.split("|")}
    missing = {row["name"] for row in _core._registry()} - names
    return f"{', '.join(missing)} missing" if missing else None


def stale():
    for document, sections in DOCUMENTS.items():
        for name, command in sections.items():
            if found := problem(written(document, name), command):
                yield f"{document}, {name}: {found}"
    if bits() not in written("docs/accuracy.md", "proof"):
        yield "docs/accuracy.md, proof: the bits of results are others now"
    if of_version() not in written("docs/reliability.md", "runs"):
        yield "docs/reliability.md, runs: of another version"


# ---- logs: of the proof of float32, and of the hardening runs


PROVEN = re.compile(
    r"float32 (\w+) (\w+): max ([\d.]+) ULP at (\S+), (\d+) above 1, ([\d.]+) % not correctly"
)


def proof(log):
    """A table of what proof_float32 printed."""
    rows = PROVEN.findall(log) + [
        (name, level, "the bits of", best, "", "")
        for name, level, best in re.findall(r"float32 (\w+) (\w+): the bits of (\w+)", log)
    ]
    headers = ["function", "level", "error, ULP", "at x", "above 1", "% not correctly rounded"]
    return tabulate(sorted(rows), headers, "github", disable_numparse=True) + "\n" + bits()


def reliability(log):
    """A table of what .ci/hardening.sh printed."""
    rows = re.findall(r"^reliability: (.+?): (.+)$", log, re.MULTILINE)
    if not rows:
        sys.exit("the log has no line that begins with reliability:")
    return tabulate(rows, ["run", "result"], "github", disable_numparse=True) + of_version()


def write(document):
    for name, command in DOCUMENTS[document].items():
        script, *arguments = command.split()
        replace(document, name, output(script, *arguments) + (bits() if script in BY_BITS else ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "document",
        nargs="*",
        help=f"default: all of {', '.join(DOCUMENTS)}",
        metavar="DOCUMENT",
    )
    parser.add_argument("--proof", type=argparse.FileType(), help="a log: write this table alone")
    parser.add_argument(
        "--reliability", type=argparse.FileType(), help="a log of .ci/full: write this table alone"
    )
    parser.add_argument("--check", action="store_true", help="write nothing, say what is stale")
    options = parser.parse_args()
    if unknown := set(options.document) - DOCUMENTS.keys():
        parser.error(f"no document {', '.join(unknown)}; there are {', '.join(DOCUMENTS)}")
    if options.check:
        return "\n".join([*(f"docs/accuracy.md: {row}" for row in check()), *stale()]) or None
    if options.proof:
        return replace("docs/accuracy.md", "proof", proof(options.proof.read()))
    if options.reliability:
        return replace("docs/reliability.md", "runs", reliability(options.reliability.read()))
    for document in options.document or DOCUMENTS:
        write(document)
    return replace("README.md", "accuracy", summary())


if __name__ == "__main__":
    sys.exit(main())
