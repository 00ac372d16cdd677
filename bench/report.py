"""Runs accuracy.py and compare.py, and writes their tables into README.md between the markers."""

import argparse
import pathlib
import re
import subprocess
import sys

from gelu_ufunc import _core

BENCH = pathlib.Path(__file__).parent
README = BENCH.parent / "README.md"
# What stands between <!-- name:begin --> and <!-- name:end -->.
SECTIONS = {
    "accuracy": "accuracy.py --density 50",
    "speed": "compare.py --sizes 128K --data real tail --functions gelu gelu_grad",
    "calls": "compare.py --calls --functions gelu gelu_grad",
}


def section(name):
    return re.compile(rf"(?<=<!-- {name}:begin -->\n).*(?=<!-- {name}:end -->)", re.DOTALL)


def output(script, *arguments):
    command = [sys.executable, str(BENCH / script), *arguments, "--markdown"]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def write():
    text = README.read_text()
    for name, command in SECTIONS.items():
        table = output(*command.split())
        text, count = section(name).subn(lambda _, new=table: new, text)
        if count != 1:
            sys.exit(f"{README.name} has {count} sections {name}")
    README.write_text(text)


def accuracy_rows():
    """The README's (function, dtype, levels, error, limit)."""
    lines = section("accuracy").search(README.read_text()).group().splitlines()
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
        "--check", action="store_true", help="only compare the accuracy table with the registry"
    )
    if not parser.parse_args().check:
        return write()
    return "\n".join(f"README.md: {problem}" for problem in check()) or None


if __name__ == "__main__":
    sys.exit(main())
