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


_SAVE = "numpy.savez(file, x=x, y=y)"


def _line(error: Exception) -> str:
    """The message in one line, which it may not be by itself or by a name in the file."""
    return "".join(c if c.isprintable() else " " for c in str(error) or type(error).__name__)


def _load(file: pathlib.Path) -> dict[str, Any]:
    """The arrays x and y of an .npz file; None for the others, which are not read."""
    if not zipfile.is_zipfile(file):
        file.open("rb").close()  # raises what is to be said if it cannot be read
        raise ValueError(f"not an .npz file; {_SAVE} writes one")
    try:
        with np.load(file) as content:
            return {name: content[name] if name in ("x", "y") else None for name in content}
    except Exception as error:  # of NumPy, zipfile, zlib, tokenize: a damaged file raises anything
        raise ValueError(f"cannot be read: {_line(error)}") from error


def _arrays(file: pathlib.Path) -> tuple[Any, Any]:
    content = _load(file)
    missing = " and ".join(name for name in ("x", "y") if name not in content)
    if missing:
        found = ", ".join(content) or "no array"
        raise ValueError(f"no array {missing} in it, but {found}: save them with {_SAVE}")
    return content["x"], content["y"]


def _identify(file: pathlib.Path) -> None:
    try:
        print(variants.identify(*_arrays(file)))
    except OSError as error:
        raise SystemExit(f"gelu-ufunc: {error}") from error
    except MemoryError as error:
        raise SystemExit(f"gelu-ufunc: {file}: not enough memory: {_line(error)}") from error
    except (TypeError, ValueError) as error:
        raise SystemExit(f"gelu-ufunc: {file}: {_line(error)}") from error


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
