"""dask, xarray and pandas: every ufunc of the package with every dtype."""

import contextlib
import itertools
import sys

import numpy as np
import pytest
from helpers import DTYPES, assert_same_bits, ordinary_values

import gelu_ufunc

UFUNCS = [value for value in vars(gelu_ufunc).values() if isinstance(value, np.ufunc)]
CALLS = list(itertools.product(UFUNCS, DTYPES.values()))
NUMPY_CALLS = [(ufunc, dtype) for ufunc, dtype in CALLS if dtype.char in "efd"]


def label(value):
    return getattr(value, "__name__", str(value))


@pytest.fixture(params=NUMPY_CALLS, ids=lambda call: "-".join(map(label, call)))
def call(request):
    return request.param


def operands(ufunc, dtype):
    """A table for each input; but the last one of several is a single row."""
    tables = [ordinary_values(1200, dtype, seed).reshape(30, 40) for seed in range(ufunc.nin)]
    return [*tables[:-1], tables[-1][0]] if len(tables) > 1 else tables


def test_calls_are_all_that_there_are():
    assert {ufunc.__name__ for ufunc, _ in CALLS} == set(gelu_ufunc._core.ufuncs)


# ---- dask


@contextlib.contextmanager
def cluster():
    """Two processes that have not imported the package: unpickling the ufunc must do it."""
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None
        ) as workers,
        distributed.Client(workers) as client,
    ):

        def imported():
            return set(client.run(lambda: "gelu_ufunc" in sys.modules).values())

        assert imported() == {False}
        yield {"scheduler": client}
        assert imported() == {True}


@contextlib.contextmanager
def local(scheduler):
    yield {"scheduler": scheduler, "num_workers": 2}


SCHEDULERS = {
    "threads": lambda: local("threads"),
    "processes": lambda: local("processes"),
    "distributed": cluster,
}


@pytest.mark.parametrize("scheduler", SCHEDULERS)
def test_dask(scheduler):
    """All of them in one graph: the processes are started once."""
    da = pytest.importorskip("dask.array")
    lazy = []
    for ufunc, dtype in CALLS:
        chunked = [da.from_array(x, chunks=(7, 11)[-x.ndim :]) for x in operands(ufunc, dtype)]
        lazy.append(ufunc(*chunked))
        assert isinstance(lazy[-1], da.Array)
        assert lazy[-1].dtype == dtype
    with SCHEDULERS[scheduler]() as options:
        computed = da.compute(*lazy, **options)
    for got, (ufunc, dtype) in zip(computed, CALLS, strict=True):
        assert_same_bits(got, ufunc(*operands(ufunc, dtype)), f"{ufunc.__name__} {dtype}")


def test_threaded_leaves_dask_arrays_alone():
    """They come back lazy."""
    da = pytest.importorskip("dask.array")
    x = da.from_array(ordinary_values(1 << 20, np.dtype("f")), chunks=1 << 18)
    result = gelu_ufunc.threaded(gelu_ufunc.gelu)(x)
    assert isinstance(result, da.Array)
    assert_same_bits(result.compute(scheduler="threads"), gelu_ufunc.gelu(x.compute()), "threaded")


# ---- xarray


def labelled(xarray, arrays):
    coords = {"row": np.arange(30) * 10, "column": np.arange(40) / 2}
    for x in arrays:
        dims = ("row", "column")[-x.ndim :]
        yield xarray.DataArray(x, dims=dims, coords={dim: coords[dim] for dim in dims})


def test_xarray(call):
    xarray = pytest.importorskip("xarray")
    ufunc, dtype = call
    arrays = operands(ufunc, dtype)
    data = list(labelled(xarray, arrays))
    result = ufunc(*data)
    assert result.dims == ("row", "column")
    assert set(result.coords) == {"row", "column"}
    assert result.coords["row"].equals(data[0].coords["row"])
    assert_same_bits(result.values, ufunc(*arrays), "DataArray")
    data[0] = data[0].transpose()
    assert_same_bits(ufunc(*data).transpose("row", "column").values, ufunc(*arrays), "transposed")
    data[0] = xarray.Dataset({"a": data[0], "b": data[0][:5]})
    result = ufunc(*data)
    assert list(result) == ["a", "b"]
    assert_same_bits(result["a"].transpose("row", "column").values, ufunc(*arrays), "Dataset")


def test_xarray_with_dask(call):
    xarray, da = pytest.importorskip("xarray"), pytest.importorskip("dask.array")
    ufunc, dtype = call
    arrays = operands(ufunc, dtype)
    result = ufunc(*(x.chunk(9) for x in labelled(xarray, arrays)))
    assert isinstance(result.data, da.Array)
    assert_same_bits(result.compute(scheduler="threads").values, ufunc(*arrays), "chunked")


# ---- pandas


def test_pandas(call):
    pandas = pytest.importorskip("pandas")
    ufunc, dtype = call
    arrays = [np.ascontiguousarray(np.broadcast_to(x, (30, 40))) for x in operands(ufunc, dtype)]
    index, columns = [f"row {n}" for n in range(30)], [f"column {n}" for n in range(40)]
    frames = [pandas.DataFrame(x, index, columns) for x in arrays]
    result = ufunc(*frames)
    assert list(result.index) == index
    assert list(result.columns) == columns
    assert_same_bits(result.to_numpy(), ufunc(*arrays), "DataFrame")

    series = [frame["column 3"] for frame in frames]
    result = ufunc(*series)
    assert (list(result.index), result.name) == (index, "column 3")
    assert_same_bits(result.to_numpy(), ufunc(*arrays)[:, 3], "Series")
    if ufunc.nin > 1:  # aligned by their labels, not by position
        shuffled = [series[0].iloc[::-1], *series[1:]]
        result = ufunc(*shuffled)[index]
        assert_same_bits(result.to_numpy(), ufunc(*arrays)[:, 3], "aligned Series")


@pytest.mark.parametrize("ufunc", UFUNCS, ids=label)
def test_pandas_missing_values(ufunc):
    """A nullable column stays one, and what is missing stays missing."""
    pandas = pytest.importorskip("pandas")
    columns = [pandas.array([0.5, None, -2.0], "Float64") for _ in range(ufunc.nin)]
    result = ufunc(*(pandas.Series(column) for column in columns))
    assert result.dtype == "Float64"
    assert list(result.isna()) == [False, True, False]
    assert result[2] == ufunc(*[-2.0] * ufunc.nin)
