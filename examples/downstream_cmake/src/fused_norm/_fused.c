/* Layer normalisation of each row, and GELU of it while it lies in the cache. Buffers of float32. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <math.h>

#include "gelu_ufunc.h"

static void normalise(const float *x, const float *gain, const float *bias, float *y, size_t n)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    const double mean = sum / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (x[i] - mean) * (x[i] - mean);
    const double scale = 1 / sqrt(squares / (double)n + 1e-5);
    for (size_t i = 0; i < n; i++)
        y[i] = (float)((x[i] - mean) * scale * gain[i] + bias[i]);
}

/* run(x, gain, bias, y, with_gelu): y has the rows of x; the length of gain is that of a row. The
   caller, __init__.py, has checked types and shapes. */
static PyObject *run(PyObject *self, PyObject *arguments)
{
    Py_buffer x, gain, bias, y;
    int with_gelu;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "y*y*y*w*p", &x, &gain, &bias, &y, &with_gelu))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    const size_t n = (size_t)gain.len / sizeof(float);
    const size_t rows = n ? (size_t)x.len / sizeof(float) / n : 0;
    for (size_t row = 0; row < rows; row++) {
        float *const result = (float *)y.buf + row * n;
        normalise((const float *)x.buf + row * n, gain.buf, bias.buf, result, n);
        if (with_gelu)
            gelu_f32(result, result, n);
    }
    Py_END_ALLOW_THREADS
    PyBuffer_Release(&x);
    PyBuffer_Release(&gain);
    PyBuffer_Release(&bias);
    PyBuffer_Release(&y);
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {{"run", run, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}};
static PyModuleDef_Slot slots[] = {
#ifdef Py_GIL_DISABLED
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL},
};
static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_fused",
    .m_methods = methods,
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__fused(void) { return PyModuleDef_Init(&module); }
