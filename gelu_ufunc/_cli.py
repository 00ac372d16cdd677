"""The command `gelu-ufunc`; also `python -m gelu_ufunc`."""

import argparse
import pathlib
import zipfile
from collections.abc import Sequence
from typing import Any

import numpy as np

from gelu_ufunc import __version__, show_config, variants


def _demo() -> None:
    from gelu_ufunc import _demo  # its imports are of no use to the others

    _demo.run()


def _arrays(file: pathlib.Path) -> tuple[Any, Any]:
    """The arrays x and y of an .npz file."""
    if not zipfile.is_zipfile(file):
        file.open("rb").close()  # raises what is to be said if it cannot be read
        raise ValueError("not an .npz file; numpy.savez writes one")
    with np.load(file) as content:
        missing = [name for name in ("x", "y") if name not in content]
        if missing:
            found = ", ".join(content) or "no array"
            raise ValueError(f"no array {' and '.join(missing)} in it, but {found}")
        return content["x"], content["y"]


def _identify(file: pathlib.Path) -> None:
    try:
        print(variants.identify(*_arrays(file)))
    except OSError as error:
        raise SystemExit(f"gelu-ufunc: {error}") from error
    except (TypeError, ValueError, zipfile.BadZipFile) as error:
        raise SystemExit(f"gelu-ufunc: {file}: {error}") from error


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="gelu-ufunc", description="GELU as NumPy ufuncs.")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="command")
    for name, function, help_text in (
        ("demo", _demo, "run the functions over real activations; show accuracy and speed"),
        ("info", show_config, "show version, build and SIMD levels, for a bug report"),
        ("identify", _identify, "find the formula that made the outputs y from the inputs x"),
    ):
        command = commands.add_parser(name, help=help_text, description=help_text)
        command.set_defaults(run=function)
        if function is _identify:
            command.add_argument("file", type=pathlib.Path, help=".npz with the arrays x and y")
    options = vars(parser.parse_args(arguments))
    options.pop("run")(**options)
    return 0
