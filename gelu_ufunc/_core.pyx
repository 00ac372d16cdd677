# cython: language_level=3, autotestdict=False
# cython: binding=False
"""Makes a NumPy ufunc of every row of the C registry. Names no function and no dtype."""

import itertools

from cpython.pycapsule cimport PyCapsule_New
from cpython.ref cimport Py_INCREF
cimport numpy as np
import numpy

from gelu_ufunc import _composition_docs, _dtypes

np.import_array()
np.import_ufunc()


cdef extern from "config.h":
    const char *GELU_VERSION
    const char *GELU_COMPILER
    const char *GELU_FLAGS


cdef extern from "internal.h":
    enum:
        GELU_FUNCTION_COUNT
        GELU_COMPOSITION_COUNT
        GELU_DTYPE_COUNT
        GELU_PUBLIC_COUNT

    ctypedef void gelu_kernel(const void *, void *, size_t)
    ctypedef void gelu_loop(char **, const ptrdiff_t *, const ptrdiff_t *, void *)
    ctypedef struct gelu_level:
        const char *name
        int has_fma
    ctypedef struct gelu_limit:
        double ulp
        double ulp_no_fma
    ctypedef struct gelu_function:
        const char *name
        gelu_limit *limit
    ctypedef struct gelu_composed:
        int function
    ctypedef struct gelu_composition:
        const char *name
        const char *composition
        gelu_composed *composed
    ctypedef struct gelu_dtype_info:
        const char *name

    ctypedef struct gelu_public_function:
        const char *name
        const char *signature
        void (*function)()

    gelu_kernel *gelu_selected_kernel[GELU_FUNCTION_COUNT][GELU_DTYPE_COUNT]
    const gelu_function *gelu_functions
    const gelu_dtype_info *gelu_dtypes
    const gelu_composition *gelu_compositions
    gelu_loop **gelu_unary_loop
    gelu_loop **gelu_binary_loop
    const gelu_public_function *gelu_public_functions

    gelu_limit gelu_composition_limit(int composition, int dtype)

    int gelu_level_count()
    const gelu_level *gelu_level_at(int index)
    bint gelu_level_is_available(int index)
    int gelu_selected_level()
    int gelu_best_level()
    int gelu_find_level(const char *name)
    int gelu_select_level(int index)


cdef str _text(const char *string):
    return string.decode("ascii")


# ---- what this build is

BUILD = {
    "version": _text(GELU_VERSION),
    "compiler": _text(GELU_COMPILER),
    "flags": _text(GELU_FLAGS),
}


cdef dict _limit(gelu_limit limit):
    return {"ulp": limit.ulp, "ulp_no_fma": limit.ulp_no_fma}


def _registry():
    """Name and error limits, by dtype, of each function: `src/registry.h` explains them."""
    return [
        {
            "name": _text(gelu_functions[f].name),
            "limits": {
                _text(gelu_dtypes[d].name): _limit(gelu_functions[f].limit[d])
                for d in range(GELU_DTYPE_COUNT)
            },
        }
        for f in range(GELU_FUNCTION_COUNT)
    ]


def _compositions():
    """The same of each function of two numbers, and which function it is composed of, and how."""
    return [
        {
            "name": _text(gelu_compositions[c].name),
            "composition": _text(gelu_compositions[c].composition),
            "function": _text(gelu_functions[gelu_compositions[c].composed[0].function].name),
            "limits": {
                _text(gelu_dtypes[d].name): _limit(gelu_composition_limit(c, d))
                for d in range(GELU_DTYPE_COUNT)
            },
        }
        for c in range(GELU_COMPOSITION_COUNT)
    ]


# ---- SIMD levels

gelu_select_level(gelu_best_level())


def _levels():
    """The SIMD levels in this build, worst first."""
    return [
        {
            "name": _text(gelu_level_at(i).name),
            "available": gelu_level_is_available(i),
            "has_fma": bool(gelu_level_at(i).has_fma),
        }
        for i in range(gelu_level_count())
    ]


def _selected_level():
    """The name of the level in use."""
    return _text(gelu_level_at(gelu_selected_level()).name)


def _select_level(str name):
    """Use the SIMD level `name`, in any letter case. For tests: not thread-safe."""
    if gelu_select_level(gelu_find_level(name.encode(errors="replace"))) < 0:
        available = ", ".join(level["name"] for level in _levels() if level["available"])
        raise ValueError(f"SIMD level {name!r} is not one of those available here: {available}")


# ---- the ufuncs. NumPy keeps the pointers it is given, so all of this lives for ever. Of one and of
# two inputs: the first index is nin - 1, the second, where there is one, the row of the registry.

cdef np.PyUFuncGenericFunction _loops[2][GELU_DTYPE_COUNT]
cdef char _types[2][3 * GELU_DTYPE_COUNT]
cdef void *_data[2][GELU_FUNCTION_COUNT + GELU_COMPOSITION_COUNT][GELU_DTYPE_COUNT]


cdef np.PyUFuncGenericFunction _loop(int nin, int d):
    return <np.PyUFuncGenericFunction>(gelu_unary_loop[d] if nin == 1 else gelu_binary_loop[d])


cdef void *_loop_data(int nin, int row, int d):
    if nin == 1:
        return &gelu_selected_kernel[row][d]
    return <void *>&gelu_compositions[row].composed[d]


cdef const char *_name(int nin, int row):
    return gelu_functions[row].name if nin == 1 else gelu_compositions[row].name


cdef _new_ufunc(int nin, int row, bytes doc, dict dtypes):
    """With a loop for each of these dtypes, {index: dtype}, which are NumPy's own."""
    Py_INCREF(doc)
    n = nin - 1
    for i, (d, dtype) in enumerate(dtypes.items()):
        _loops[n][i] = _loop(nin, d)
        _data[n][row][i] = _loop_data(nin, row, d)
        for k in range(nin + 1):
            _types[n][(nin + 1) * i + k] = dtype.num
    return np.PyUFunc_FromFuncAndData(
        _loops[n], _data[n][row], _types[n], len(dtypes), nin, 1, np.PyUFunc_None,
        _name(nin, row), doc, 0)


cdef _add_loops(ufunc, int row, dict dtypes):
    """For dtypes that another package has defined."""
    cdef int types[3]
    for d, dtype in dtypes.items():
        types[0] = types[1] = types[2] = dtype.num
        np.PyUFunc_RegisterLoopForType(
            ufunc, dtype.num, _loop(ufunc.nin, d), types, _loop_data(ufunc.nin, row, d))
    # What NumPy first finds for bool or 8 bits, which such a dtype can hold, it keeps, and with out= of
    # that dtype it finds that one.
    integers = "?bB" if dtypes else ""
    for characters in itertools.product(integers, repeat=ufunc.nin):
        ufunc.resolve_dtypes((*map(numpy.dtype, characters), None))


cdef _make_ufunc(int nin, int row, bytes doc, dict dtypes):
    native = {d: dtype for d, dtype in dtypes.items() if dtype.isbuiltin == 1}
    ufunc = _new_ufunc(nin, row, doc, native)
    _add_loops(ufunc, row, {d: dtypes[d] for d in dtypes.keys() - native.keys()})
    try:
        ufunc.__module__ = "gelu_ufunc"  # where pickle looks for it
        ufunc.__qualname__ = ufunc.__name__
    except AttributeError:
        pass  # NumPy < 2.2; pickle then searches all modules
    return ufunc


def _make_ufuncs():
    found = {d: _dtypes.find(_text(gelu_dtypes[d].name)) for d in range(GELU_DTYPE_COUNT)}
    dtypes = {d: dtype for d, dtype in found.items() if dtype is not None}
    docs = _composition_docs.docstrings(_registry(), _compositions())
    return {
        name: _make_ufunc(nin, index, doc.encode(), dtypes)
        for nin, named in enumerate(docs, 1)
        for index, (name, doc) in enumerate(named.items())
    }


ufuncs = _make_ufuncs()


# ---- the C functions, as Cython's cimport looks for them

cdef _capsule(int i):
    return PyCapsule_New(
        <void *>gelu_public_functions[i].function, gelu_public_functions[i].signature, NULL)


capsules = {_text(gelu_public_functions[i].name): _capsule(i) for i in range(GELU_PUBLIC_COUNT)}
