"""The command `gelu-ufunc`."""

import argparse
from collections.abc import Sequence

from gelu_ufunc import __version__, show_config


def _demo() -> None:
    from gelu_ufunc import _demo  # its imports are of no use to `info`

    _demo.run()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="gelu-ufunc", description="GELU as NumPy ufuncs.")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="command")
    for name, function, help_text in (
        ("demo", _demo, "run the functions over real activations; show accuracy and speed"),
        ("info", show_config, "show version, build and SIMD levels, for a bug report"),
    ):
        commands.add_parser(name, help=help_text, description=help_text).set_defaults(run=function)
    parser.parse_args(arguments).run()
    return 0
