# cython: language_level=3, autotestdict=False
"""Makes a NumPy ufunc of every row of the C registry. Names no function and no dtype."""

from cpython.pycapsule cimport PyCapsule_New
from cpython.ref cimport Py_INCREF
cimport numpy as np
import numpy

from gelu_ufunc import _docs, _dtypes

np.import_array()
np.import_ufunc()


cdef extern from "config.h":
    const char *GELU_VERSION
    const char *GELU_COMPILER
    const char *GELU_FLAGS


cdef extern from "internal.h":
    enum:
        GELU_FUNCTION_COUNT
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
    ctypedef struct gelu_dtype_info:
        const char *name

    ctypedef struct gelu_public_function:
        const char *name
        const char *signature
        void (*function)()

    gelu_kernel *gelu_active_kernel[GELU_FUNCTION_COUNT][GELU_DTYPE_COUNT]
    const gelu_function *gelu_functions
    const gelu_dtype_info *gelu_dtypes
    gelu_loop **gelu_unary_loop
    const gelu_public_function *gelu_public_functions

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


def _registry():
    """Name and error limits, by dtype, of each function: `src/registry.h` explains them."""
    return [
        {
            "name": _text(gelu_functions[f].name),
            "limits": {
                _text(gelu_dtypes[d].name): {
                    "ulp": gelu_functions[f].limit[d].ulp,
                    "ulp_no_fma": gelu_functions[f].limit[d].ulp_no_fma,
                }
                for d in range(GELU_DTYPE_COUNT)
            },
        }
        for f in range(GELU_FUNCTION_COUNT)
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


def _select_isa(str name):
    """Use the SIMD level `name`, in any letter case. For tests: not thread-safe."""
    if gelu_select_level(gelu_find_level(name.encode(errors="replace"))) < 0:
        available = ", ".join(level["name"] for level in _levels() if level["available"])
        raise ValueError(f"SIMD level {name!r} is not one of those available here: {available}")


# ---- the ufuncs. NumPy keeps the pointers it is given, so all of this lives for ever.

cdef np.PyUFuncGenericFunction _loops[GELU_DTYPE_COUNT]
cdef char _types[2 * GELU_DTYPE_COUNT]
cdef void *_slots[GELU_FUNCTION_COUNT][GELU_DTYPE_COUNT]


cdef np.PyUFuncGenericFunction _loop(int d):
    return <np.PyUFuncGenericFunction>gelu_unary_loop[d]


cdef _new_ufunc(int f, bytes doc, dict dtypes):
    """With a loop for each of these dtypes, {index: dtype}, which are NumPy's own."""
    Py_INCREF(doc)
    for i, (d, dtype) in enumerate(dtypes.items()):
        _loops[i] = _loop(d)
        _slots[f][i] = &gelu_active_kernel[f][d]
        _types[2 * i] = _types[2 * i + 1] = dtype.num
    return np.PyUFunc_FromFuncAndData(
        _loops, _slots[f], _types, len(dtypes), 1, 1, np.PyUFunc_None, gelu_functions[f].name, doc,
        0)


cdef _add_loops(ufunc, int f, dict dtypes):
    """For dtypes that another package has defined."""
    cdef int types[2]
    for d, dtype in dtypes.items():
        types[0] = types[1] = dtype.num
        np.PyUFunc_RegisterLoopForType(
            ufunc, dtype.num, _loop(d), types, &gelu_active_kernel[f][d])
    # What NumPy first finds for an integer it keeps, and with out= of such a dtype it finds that one.
    for character in "?" + numpy.typecodes["AllInteger"] if dtypes else "":
        ufunc.resolve_dtypes((numpy.dtype(character), None))


cdef _make_ufunc(int f, dict row, dict dtypes):
    cdef bytes doc = _docs.docstring(**row).encode()
    native = {d: dtype for d, dtype in dtypes.items() if dtype.isbuiltin == 1}
    ufunc = _new_ufunc(f, doc, native)
    _add_loops(ufunc, f, {d: dtypes[d] for d in dtypes.keys() - native.keys()})
    try:
        ufunc.__module__ = "gelu_ufunc"  # where pickle looks for it
    except AttributeError:
        pass  # NumPy < 2.2; pickle then searches all modules
    return ufunc


def _make_ufuncs():
    found = {d: _dtypes.find(_text(gelu_dtypes[d].name)) for d in range(GELU_DTYPE_COUNT)}
    dtypes = {d: dtype for d, dtype in found.items() if dtype is not None}
    return {row["name"]: _make_ufunc(f, row, dtypes) for f, row in enumerate(_registry())}


ufuncs = _make_ufuncs()


# ---- the C functions, as Cython's cimport looks for them

cdef _capsule(int i):
    return PyCapsule_New(
        <void *>gelu_public_functions[i].function, gelu_public_functions[i].signature, NULL)


capsules = {_text(gelu_public_functions[i].name): _capsule(i) for i in range(GELU_PUBLIC_COUNT)}
