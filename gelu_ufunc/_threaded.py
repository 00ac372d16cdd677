"""Ufuncs on all cores: `threaded`."""

import contextlib
import functools
import math
import operator
import os
from collections import deque
from collections.abc import Iterator
from contextvars import copy_context
from typing import TYPE_CHECKING, Any, NamedTuple, SupportsIndex

import numpy as np

# Its import takes longer than that of the package, so it is left to the first call.
if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

# In elements; docs/threads.md has the measurements that they stand on.
_PER_THREAD = 1 << 19  # to wake a thread for less does not pay
_PER_BLOCK = 1 << 16
_BLOCKS_PER_THREAD = 4  # so that a thread that wakes late leaves of its share to the others


_pools: dict[int, "ThreadPoolExecutor"] = {}  # by the number of their threads

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pools.clear)  # the child has none of the threads


def _pool(threads: int) -> "ThreadPoolExecutor":
    from concurrent.futures import ThreadPoolExecutor

    pool = _pools.get(threads)
    return pool or _pools.setdefault(threads, ThreadPoolExecutor(threads, "gelu_ufunc"))


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _is_array(x: object) -> bool:
    return type(x) is np.ndarray  # a subclass may have rules of its own


# ---- which calls are cut, and where


class _Plan(NamedTuple):
    operands: list[Any]  # the inputs and `where`: arrays of out's shape, or scalars
    out: Any

    def blocks(self, threads: int) -> Iterator[tuple[slice, ...]]:
        """Along the first axis that is long enough, where those before it cut up little."""
        shape, size = self.out.shape, self.out.size
        axes = (a for a, n in enumerate(shape) if n >= 16 and math.prod(shape[:a]) <= 64)
        axis = next(axes, 0)
        block = max(_PER_BLOCK, size // (threads * _BLOCKS_PER_THREAD))
        step = max(1, block * shape[axis] // size)
        for start in range(0, shape[axis], step):
            yield (*(slice(None),) * axis, slice(start, start + step))


def _apart(x: Any, out: Any) -> bool:
    """Whether each element of `out` shares memory with no other element of `x` than its own."""
    if not np.may_share_memory(x, out):
        return True
    x, out = ((a.__array_interface__["data"], a.shape, a.strides, a.itemsize) for a in (x, out))
    return bool(x == out)


def _plan(
    ufunc: np.ufunc, args: tuple[Any, ...], out: Any = None, where: Any = True, **others: object
) -> _Plan | None:
    """None if the call is out of the ordinary, or wrong: the plain call knows what to do then."""
    if type(out) is tuple and len(out) == 1:
        [out] = out
    inputs = [np.asarray(x) if isinstance(x, np.generic) else x for x in args]
    operands = [*inputs, where]
    arrays = [x for x in operands if _is_array(x)]
    scalars = [x for x in inputs if type(x) in (int, float)]
    masked = where is not True
    if (
        others
        or (len(inputs), len(arrays) + len(scalars)) != (ufunc.nin, ufunc.nin + masked)
        or (masked and (out is None or where.dtype != bool))
    ):
        return None
    try:
        shape = np.broadcast(*arrays).shape
        if out is None:
            dtypes = [x.dtype if _is_array(x) else type(x) for x in inputs]
            out = np.empty(shape, ufunc.resolve_dtypes((*dtypes, None))[-1])
    except (TypeError, ValueError):
        return None
    whole = [x for x in arrays if x.shape == shape]
    if (
        not (_is_array(out) and out.shape == shape and whole)
        or not all(x.flags.c_contiguous for x in (out, *whole))
        or not all(_apart(x, out) for x in arrays)
    ):
        return None
    return _Plan([np.broadcast_to(x, shape) if _is_array(x) else x for x in operands], out)


# ---- the call


def _run(ufunc: np.ufunc, plan: _Plan, workers: int) -> None:
    """All threads, the caller's among them, take blocks until none is left."""
    threads = min(workers, plan.out.size // _PER_THREAD)
    blocks = deque(plan.blocks(threads))
    from concurrent.futures import wait

    tasks: list[Future[None]] = []
    errors: list[Exception] = []

    def work() -> None:
        with contextlib.suppress(IndexError):
            while True:
                block = blocks.popleft()
                *inputs, where = (x[block] if _is_array(x) else x for x in plan.operands)
                try:
                    ufunc(*inputs, out=plan.out[block], where=where)
                except Exception as error:
                    errors.append(error)

    try:
        # Where no thread is to be had, as at exit, the caller's own does all.
        with contextlib.suppress(RuntimeError):
            for _ in range(min(threads, len(blocks)) - 1):
                tasks.append(_pool(workers - 1).submit(copy_context().run, work))
        work()
    finally:
        blocks.clear()  # after an interrupt; no thread writes on when this function is left
        wait([task for task in tasks if not task.cancel()])
    if errors:
        try:
            raise errors[0]
        finally:
            errors.clear()  # its traceback holds this frame, and so the arrays


class _Threaded:
    """What `threaded` returns."""

    def __init__(self, ufunc: np.ufunc, workers: int | None) -> None:
        functools.update_wrapper(self, ufunc)
        self.ufunc = ufunc
        self.workers = workers

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        plan, nin = None, self.ufunc.nin
        if any(type(x) is np.ndarray and x.size >= 2 * _PER_THREAD for x in args):
            workers = self.workers or _cores()
            if len(args) == nin + 1 and "out" not in kwargs:
                args, kwargs = args[:nin], {**kwargs, "out": args[nin]}
            plan = _plan(self.ufunc, args, **kwargs) if workers > 1 else None
        if plan is None:
            return self.ufunc(*args, **kwargs)
        _run(self.ufunc, plan, workers)
        return plan.out

    def __repr__(self) -> str:
        return f"threaded({self.ufunc!r}, workers={self.workers})"


def threaded(ufunc: np.ufunc, workers: SupportsIndex | None = None) -> _Threaded:
    """Return `ufunc` as a function that uses all cores for large arrays.

    The result is called as the ufunc is, and gives the same bits. It cuts the arrays into
    contiguous blocks and hands them to a pool of threads, which is made when it is first needed and
    made anew after a fork.

    Parameters
    ----------
    ufunc : numpy.ufunc
        A ufunc of this package, or another one with a single output. That the bits do not depend on
        where a block begins is a promise of this package; not every ufunc keeps it.
    workers : int, optional
        The largest number of threads to use, the caller's included. The default is the number of
        cores that the process may run on, as it is at each call.

    Returns
    -------
    callable
        It takes the ufunc's arguments, ``out=``, ``where=`` and other keywords included. It can be
        pickled. It has the attributes ``ufunc`` and ``workers``.

    Raises
    ------
    TypeError
        If `ufunc` is no ufunc or has not exactly one output, or `workers` is no integer.
    ValueError
        If `workers` is less than 1, or `ufunc` works on more than elements (as `numpy.matmul`).

    Notes
    -----
    The rule: an array of at least 2**20 elements (1,048,576) is worth threads, one for each 2**19
    of them. What is smaller is computed in the caller's thread: to wake another one would cost
    what it saves. So is all that is out of the ordinary:

    - arrays that are not C-contiguous, except small ones that are broadcast;
    - an input that overlaps the output, unless it is the output;
    - lists, subclasses of `numpy.ndarray` (masked arrays, ``np.memmap``: use `numpy.asarray`) and
      objects with ``__array_ufunc__`` (dask arrays, which have threads of their own);
    - keywords other than ``out`` and ``where``, and ``where`` without ``out``.

    `numpy.errstate` holds in the threads; each block may warn by itself. An exception is raised
    when all threads are done.

    Examples
    --------
    >>> import numpy as np
    >>> from gelu_ufunc import gelu, threaded
    >>> x = np.linspace(-6, 6, 1_000_000, dtype=np.float32)
    >>> parallel_gelu = threaded(gelu)
    >>> np.array_equal(parallel_gelu(x), gelu(x))
    True
    >>> parallel_gelu(x, out=x) is x
    True
    """
    if not isinstance(ufunc, np.ufunc):
        raise TypeError(f"ufunc must be a numpy.ufunc, not {ufunc!r}")
    if ufunc.nout != 1:
        raise TypeError(f"ufunc must have one output; {ufunc.__name__} has {ufunc.nout}")
    if ufunc.signature is not None:
        raise ValueError(
            f"ufunc must work element by element; {ufunc.__name__} has the signature "
            f"{ufunc.signature}"
        )
    if workers is None:
        return _Threaded(ufunc, None)
    try:
        number = operator.index(workers)
    except TypeError:
        raise TypeError(f"workers must be an integer or None, not {workers!r}") from None
    if number < 1:
        raise ValueError(f"workers must be at least 1, not {number}")
    return _Threaded(ufunc, number)
