"""bench/ports.py finds the loops of every kernel, and llvm-mca takes them."""

import functools
import pathlib
import platform
import re
import shutil

import pytest

ROOT = pathlib.Path(__file__).parents[1]
LOOK_UP = re.compile(r"\s+(?:vperm(?:d|ps)|tbl)\s")


@pytest.fixture
def ports(monkeypatch):
    pytest.importorskip("tabulate")
    if not (ROOT / "bench").is_dir():
        pytest.skip("the benchmarks are not beside the tests")
    monkeypatch.syspath_prepend(ROOT / "bench")
    import ports

    return ports


@functools.cache
def assembly(ports, level):
    family = ports.LEVELS[level].family
    compilers = {platform.machine(): "cc", "aarch64": "aarch64-linux-gnu-gcc"}
    for program in ("meson", "ninja", compilers.get(family, "")):
        if not shutil.which(program):
            pytest.skip(f"{program or f'a compiler for {family}'} was not found")
    return ports.assembly(level)


def rows():
    """{function: the rows of coefficients in its tables}; a function may do with another's."""
    file = ROOT / "src" / "math" / "float32_tables.h"
    text = file.read_text() if file.exists() else ""
    return dict(re.findall(r"f32_segments (\w+)_segments_f32 = \{.*?\.rows = (\d+)", text, re.S))


@pytest.mark.parametrize("name", rows())
@pytest.mark.parametrize("level", ["avx2", "avx512", "neon"])
def test_float32_has_one_loop(ports, level, name):
    (body,) = ports.loops(ports.kernel(assembly(ports, level), f"{name}_kernel_f32"))
    coefficients = int(rows()[name])
    # Three for the index and the anchor, one for the packed coefficient; the last row's begins.
    assert len(list(filter(ports.FMA.match, body))) == coefficients + 4
    assert len(list(filter(LOOK_UP.match, body))) >= coefficients + 2  # centre, value


@pytest.mark.parametrize("name", rows())
@pytest.mark.parametrize("level", ["avx2", "avx512", "neon"])
def test_float64_has_two_loops(ports, level, name):
    bodies = ports.loops(ports.kernel(assembly(ports, level), f"{name}_kernel_f64"))
    # To locate; eight coefficients and the anchor.
    assert [len(list(filter(ports.FMA.match, body))) for body in bodies] == [2, 9]


@pytest.mark.parametrize("level", ["avx2", "avx512", "neon"])
def test_llvm_mca_takes_a_loop(ports, level):
    llvm_mca = ports.find_llvm_mca()
    if not llvm_mca:
        pytest.skip("llvm-mca was not found")
    (body,) = ports.loops(ports.kernel(assembly(ports, level), "gelu_kernel_f32"))
    for cpu, pipes in ports.LEVELS[level].fma_pipes.items():
        figures = ports.simulate(llvm_mca, ports.LEVELS[level].family, cpu, body)
        assert figures.instructions == len(body) <= figures.uops
        # Nothing is faster than the pipes of the FMAs alone, or than the busiest port.
        assert figures.cycles >= figures.fmas / pipes
        assert figures.cycles >= max(figures.pressure.values())
