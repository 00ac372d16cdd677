# cython: language_level=3, freethreading_compatible=True
"""The two forms that `cimport gelu_ufunc` offers: of arrays, and of one number."""

cimport gelu_ufunc
from cython cimport floating


def gelu_in_place(float[::1] x):
    """gelu of each element, by one call of the array form."""
    if x.shape[0]:
        with nogil:
            gelu_ufunc.gelu_f32(&x[0], &x[0], <size_t>x.shape[0])


def sum_of_silu(const floating[:] x):
    """The sum of silu over x, whatever its strides: by the scalar form, in float or double."""
    cdef double sum = 0
    cdef Py_ssize_t i
    with nogil:
        for i in range(x.shape[0]):
            sum += gelu_ufunc.silu(x[i])
    return sum


def derivative(double x):
    return gelu_ufunc.gelu_grad(x)
