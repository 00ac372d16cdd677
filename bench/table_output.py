"""What the scripts share that print tables: the option --markdown, and what figures are of."""

import argparse
import pathlib
import platform
import shlex
import sys


def new_parser(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--markdown", action="store_true", help="print tables in Markdown")
    return parser


def as_text(rows, headers, options, **formats):
    from tabulate import tabulate  # tests of the scripts do without it

    return tabulate(rows, headers, "github" if options.markdown else "simple", **formats)


def command_line():
    """The line that prints this again."""
    program = f"bench/{pathlib.Path(sys.argv[0]).name}"
    return f"Command: `{shlex.join(['python', program, *sys.argv[1:]])}`"


def cpu_name():
    import cpuinfo

    return cpuinfo.get_cpu_info().get("brand_raw", platform.machine())


def environment():
    """The CPU, the versions, and the command."""
    import numpy
    import scipy

    import gelu_ufunc

    versions = {
        "gelu_ufunc": gelu_ufunc.__version__,
        "NumPy": numpy.__version__,
        "SciPy": scipy.__version__,
        "Python": platform.python_version(),
    }
    listed = ", ".join(f"{name} {version}" for name, version in versions.items())
    return f"{cpu_name()}, SIMD level {gelu_ufunc.simd.level()}; {listed}. {command_line()}"
