"""Runs accuracy.py and compare.py, and writes what they print into documents, between markers."""

import argparse
import pathlib
import re
import subprocess
import sys

from gelu_ufunc import _core

BENCH = pathlib.Path(__file__).parent
ROOT = BENCH.parent
PEERS = "compare.py --dtypes float32 float64 --sizes 128K"
# What stands between <!-- name:begin --> and <!-- name:end --> in each document.
DOCUMENTS = {
    "README.md": {
        "accuracy": "accuracy.py --density 50",
        "speed": "compare.py --sizes 128K --data real tail --functions gelu gelu_grad",
        "calls": "compare.py --calls --functions gelu gelu_grad",
    },
    "docs/comparison.md": {
        "avx512": f"{PEERS} --simd avx512 --peers",
        "avx2": f"{PEERS} --simd avx2 --peers",
        "memory": "compare.py --dtypes float32 --sizes 16M --functions gelu gelu_grad gelu_tanh "
        "silu --repeat 15 --simd avx512 --peers speed",
    },
}


def section(name):
    return re.compile(rf"(?<=<!-- {name}:begin -->\n).*(?=<!-- {name}:end -->)", re.DOTALL)


def output(script, *arguments):
    command = [sys.executable, str(BENCH / script), *arguments, "--markdown"]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def write(document):
    path = ROOT / document
    text = path.read_text()
    for name, command in DOCUMENTS[document].items():
        printed = output(*command.split())
        text, count = section(name).subn(lambda _, new=printed: new, text)
        if count != 1:
            sys.exit(f"{document} has {count} sections {name}")
    path.write_text(text)


def accuracy_rows():
    """The README's (function, dtype, levels, error, limit)."""
    lines = section("accuracy").search((ROOT / "README.md").read_text()).group().splitlines()
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if "|" in line]
    for name, dtype, levels, _, error, limit, _ in cells[2:]:
        yield name, dtype, set(levels.split(", ")), float(error), float(limit)


def check():
    """What the README says of accuracy that the registry does not, or the reverse."""
    without_fma = {level["name"] for level in _core._levels() if not level["has_fma"]}
    promises = {
        (row["name"], dtype): limits
        for row in _core._registry()
        for dtype, limits in row["limits"].items()
    }
    rows = list(accuracy_rows())
    for name, dtype, levels, error, limit in rows:
        promise = promises.get((name, dtype), {})
        kinds = {"ulp_no_fma" if level in without_fma else "ulp" for level in levels}
        agrees = {limit} == {promise.get(kind) for kind in kinds}
        if not agrees or error > limit:
            yield f"{name}, {dtype}, {', '.join(levels)}: the registry says {promise}"
    for missing in promises.keys() - {row[:2] for row in rows}:
        yield f"{', '.join(missing)}: missing"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "document", nargs="?", choices=DOCUMENTS, default="README.md", help="default: %(default)s"
    )
    parser.add_argument(
        "--check", action="store_true", help="only compare README.md's accuracy with the registry"
    )
    options = parser.parse_args()
    if not options.check:
        return write(options.document)
    return "\n".join(f"README.md: {problem}" for problem in check()) or None


if __name__ == "__main__":
    sys.exit(main())
