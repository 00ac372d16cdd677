"""What comes has the types that typing/uses.py asserts of the stub, which mypy reads in .ci/run."""

import importlib.util
import pathlib
import typing

import numpy as np

USES = pathlib.Path(__file__).with_name("typing") / "uses.py"


def has_type(value, promised):
    if promised in (typing.Any, None):
        return promised is not None or value is None
    if typing.get_origin(promised) is typing.Literal:
        return value in typing.get_args(promised)
    if typing.get_origin(promised) is np.ndarray:
        _, dtype = typing.get_args(promised)
        return type(value) is np.ndarray and value.dtype == typing.get_args(dtype)[0]
    return type(value) is promised


def test_promised_types_come(capsys):
    spec = importlib.util.spec_from_file_location("uses", USES)
    uses = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(uses)
    looked_at = []

    def check(value, promised):
        looked_at.append(value)
        assert has_type(value, promised), (
            f"{promised} is promised, {value!r} came: {len(looked_at)}"
        )

    uses.assert_type = check
    uses.uses(*(np.array([1, 2], dtype) for dtype in ("f2", "f4", "f8", "i1", "i2", "i8")))
    assert len(looked_at) > 40
