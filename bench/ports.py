"""Prints one table: what llvm-mca says of the kernels' loops on some CPUs, per element.

The kernels are compiled for a SIMD level as the build compiles them, for aarch64 by a cross
compiler, and llvm-mca, of LLVM, simulates their loops: all data in the L1 cache, no rare number."""

import itertools
import json
import pathlib
import platform
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from typing import NamedTuple

from table_output import as_text, command_line, new_parser

from gelu_ufunc import _core

ROOT = pathlib.Path(__file__).parents[1]
FUNCTIONS = [row["name"] for row in _core._registry()]
HEADERS = ["dtype", "CPU", "function", "instructions", "uops", "cycles", "FMA bound",
           "cycles / bound", "busiest port"]  # fmt: skip
PASSES = 1000


class Level(NamedTuple):
    family: str
    bytes: int  # of a vector
    fma_pipes: dict  # for each CPU: how many such vectors a cycle


LEVELS = {
    "avx2": Level("x86_64", 32, {"znver4": 2, "haswell": 2}),
    # A pipe of Zen 4 takes half a vector a cycle.
    "avx512": Level("x86_64", 64, {"znver4": 1, "skylake-avx512": 2}),
    "neon": Level("aarch64", 16, {"neoverse-n1": 2, "cortex-a76": 2}),
}
DTYPES = {"float32": ("f32", 4), "float64": ("f64", 8)}


# ---- the loops


def command_output(command, **options):
    if not shutil.which(command[0]):
        sys.exit(f"{command[0]} was not found")
    run = subprocess.run(command, capture_output=True, text=True, **options)
    if run.returncode:
        sys.exit(f"{shlex.join(map(str, command))} failed:\n{run.stdout}{run.stderr}")
    return run.stdout


def assembly(level):
    """The assembler source that the build's own command makes of src/kernels.c."""
    with tempfile.TemporaryDirectory() as build:
        setup = ["meson", "setup", build, "-Dpython=disabled"]
        if LEVELS[level].family != platform.machine():
            if LEVELS[level].family != "aarch64":
                sys.exit(f"{level}: there is no cross compiler for it here")
            setup += ["--cross-file", ".ci/aarch64.ini"]
        command_output(setup, cwd=ROOT)
        commands = pathlib.Path(build, "compile_commands.json").read_text()
        commands = [shlex.split(entry["command"]) for entry in json.loads(commands)]
        arguments = next(command for command in commands if f"-DGELU_LEVEL={level}" in command)
        arguments[arguments.index("-c")] = "-S"
        arguments[arguments.index("-o") + 1] = "kernels.s"
        command_output(arguments, cwd=build)
        return pathlib.Path(build, "kernels.s").read_text()


LABEL = re.compile(r"(\.L\w+):")
JUMP = re.compile(r"\s+(?:j|b|cb|tb)[a-z.]*\s.*?(\.L\w+)$")
ALWAYS = re.compile(r"\s+(?:jmp|b|ret)(?:\s|$)")
INSTRUCTION = re.compile(r"\s+[a-z]")
# Only such as keep an FMA pipe busy on every CPU: some add elsewhere.
FMA = re.compile(r"\s+(?:vfn?m(?:add|sub)\w*p|vmulp|f(?:n?m[ls]a|mls|mul)\s)")


def kernel(source, name):
    """The lines of a function."""
    match = re.search(rf"^{name}:.*?$(.*?)^\s+\.size\s+{name},", source, re.DOTALL | re.MULTILINE)
    if not match:
        sys.exit(f"the compiler made no function {name}")
    return match[1].splitlines()


def walk(lines, labels, start):
    """The places of the lines that run from a label to a jump back to it, no other branch being
    taken that need not be; none if there is no such jump."""
    passed, i = [], labels[start]
    while i is not None and i < len(lines) and i not in passed:
        passed.append(i)
        jump = JUMP.match(lines[i])
        if jump and jump[1] == start:
            return passed
        i = labels.get(jump[1] if jump else None) if ALWAYS.match(lines[i]) else i + 1
    return []


def loops(lines):
    """The instructions of each innermost loop that computes, with an FMA in it. A loop that shares
    lines with a shorter one is around it, or passes by code for the last numbers."""
    labels = {match[1]: i for i, line in enumerate(lines) if (match := LABEL.match(line))}
    seen = set()
    for passed in sorted((walk(lines, labels, start) for start in labels), key=len):
        body = [lines[i] for i in passed if INSTRUCTION.match(lines[i])]
        if seen.isdisjoint(passed) and any(map(FMA.match, body)):
            yield body
        seen.update(passed)


# ---- llvm-mca


def find_llvm_mca():
    """The newest: before LLVM 17 Neoverse N1 had the model of Cortex-A57."""
    names = [f"llvm-mca-{version}" for version in range(40, 13, -1)]
    return next(filter(None, map(shutil.which, [*names, "llvm-mca"])), None)


class Figures(NamedTuple):
    """What one pass of a loop takes."""

    instructions: int
    fmas: int
    uops: float
    cycles: float
    pressure: Counter  # of each port: the cycles for which it is busy


def run_llvm_mca(llvm_mca, family, cpu, body):
    """(what it says of the loop, the names of the ports)."""
    command = [llvm_mca, f"-mtriple={family}", f"-mcpu={cpu}", "-json", f"-iterations={PASSES}"]
    result = json.loads(command_output(command, input="\n".join(body)))
    return result["CodeRegions"][0], result["TargetInfo"]["Resources"]


def usage(region, ports):
    """(instruction, port, cycles); the last instruction is the sum of all."""
    for use in region["ResourcePressureView"]["ResourcePressureInfo"]:
        yield use["InstructionIndex"], ports[use["ResourceIndex"]], use["ResourceUsage"]


def simulate(llvm_mca, family, cpu, body):
    region, ports = run_llvm_mca(llvm_mca, family, cpu, body)
    summary, total = region["SummaryView"], len(region["Instructions"])
    return Figures(
        instructions=len(body),
        fmas=len(list(filter(FMA.match, body))),
        uops=summary["TotaluOps"] / PASSES,
        cycles=summary["TotalCycles"] / PASSES,
        pressure=Counter({port: busy for i, port, busy in usage(region, ports) if i == total}),
    )


def added(figures):
    """A kernel's loops run one after the other."""
    pressure = sum((f.pressure for f in figures), Counter())
    *counts, _ = zip(*figures, strict=True)
    return Figures(*map(sum, counts), pressure)


def rows(llvm_mca, level, source):
    vector = LEVELS[level]
    for dtype, (suffix, size) in DTYPES.items():
        for (cpu, pipes), name in itertools.product(vector.fma_pipes.items(), FUNCTIONS):
            bodies = loops(kernel(source, f"{name}_kernel_{suffix}"))
            f = added([simulate(llvm_mca, vector.family, cpu, body) for body in bodies])
            port, busy = f.pressure.most_common(1)[0]
            vectors = (f.instructions, f.uops, f.cycles, f.fmas / pipes)
            yield [dtype, cpu, name, *(count * size / vector.bytes for count in vectors),
                   f.cycles * pipes / f.fmas, f"{port} {busy / f.cycles:.0%}"]  # fmt: skip


def kinds(llvm_mca, level, source, name):
    """What a float32 loop consists of, on the level's first CPU: how many of each kind of
    instruction, and for how long they keep the busiest kind of port."""
    (body,) = loops(kernel(source, f"{name}_kernel_f32"))
    cpu = next(iter(LEVELS[level].fma_pipes))
    region, ports = run_llvm_mca(llvm_mca, LEVELS[level].family, cpu, body)
    names = [line.split()[0] for line in region["Instructions"]]
    count, busy = Counter(names), {}
    for i, port, cycles in usage(region, ports):
        if i < len(names):
            busy.setdefault(port.rstrip("0123456789."), Counter())[names[i]] += cycles
    port = max(busy, key=lambda port: busy[port].total())
    table = [[kind, count[kind], cycles] for kind, cycles in busy[port].most_common()]
    rest = count.total() - sum(row[1] for row in table)
    table += [["others", rest, 0], ["all", count.total(), busy[port].total()]]
    return [f"{name}, float32", "instructions", f"cycles of {port}"], table


def main():
    parser = new_parser(__doc__)
    parser.add_argument("level", choices=LEVELS)
    parser.add_argument(
        "--kinds", choices=FUNCTIONS, metavar="FUNCTION", help="what its float32 loop consists of"
    )
    options = parser.parse_args()
    llvm_mca = find_llvm_mca() or sys.exit("there is no llvm-mca here (Debian: llvm-19)")
    source = assembly(options.level)
    headers, table = HEADERS, rows(llvm_mca, options.level, source)
    if options.kinds:
        headers, table = kinds(llvm_mca, options.level, source, options.kinds)
    print(as_text(table, headers, options, floatfmt=".2f"))
    compiler = re.search(r'\.ident\s+"(.*)"', source)[1]
    version = re.search("LLVM version [0-9.]+", command_output([llvm_mca, "--version"]))[0]
    print(f"\n{compiler}; llvm-mca, {version}. {command_line()}")


if __name__ == "__main__":
    main()
