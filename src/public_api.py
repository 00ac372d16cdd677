"""Writes the public C header and the Cython declarations from the rows of registry.h.

python src/public_api.py
"""

import pathlib
import re

SOURCE = pathlib.Path(__file__).parent
PACKAGE = SOURCE.parent / "gelu_ufunc"
TYPES = {"f16": "uint16_t", "bf16": "uint16_t", "f32": "float", "f64": "double"}

HEADER = """\
/* The C API of gelu_ufunc. Written by src/public_api.py from src/registry.h: do not edit.

   gelu_<function>_<dtype>(x, y, n): y[i] = function(x[i]) for i < n. A function whose own name
   begins with gelu has no second gelu_: gelu_f32, gelu_grad_f32, gelu_silu_f32. The functions and
   the errors promised are those of the Python package.

   dtype: f16 and bf16 are IEEE binary16 and bfloat16 numbers, as bits in native byte order; f32
   and f64 are float and double.
   Overlap: y == x is allowed. Any other overlap of the two arrays is not.
   n may be 0: then the arrays are not touched. No alignment is needed but that of the type.
   Thread-safe. Nothing is allocated, no lock is taken, and no floating-point flag is raised but
   inexact, and invalid for a signalling NaN. The caller's rounding mode changes no result; it and
   flush-to-zero stay as they are. The first call chooses the SIMD level for this CPU.
   The first call of a function with a half type fills a table of 128 KB. */
#ifndef GELU_UFUNC_H
#define GELU_UFUNC_H

#include <stddef.h>
#include <stdint.h>

#ifndef GELU_API
#define GELU_API /* the library's own build says here how names are exported */
#endif

#ifdef __cplusplus
extern "C" {
#endif

@
#ifdef __cplusplus
}
#endif

#endif
"""

DECLARATIONS = """\
# For Cython: cimport gelu_ufunc. Written by src/public_api.py from src/registry.h: do not edit.
# Nothing need be linked: Cython asks the imported package for the functions' addresses.

from cython cimport floating
from libc.stdint cimport uint16_t

# ---- arrays: include/gelu_ufunc.h explains them

@
# ---- one number, float or double

@"""

ARRAY_IN_C = "GELU_API void {c_name}_{suffix}(const {type} *x, {type} *y, size_t n);\n"
ARRAY_IN_CYTHON = (
    "cdef void {c_name}_{suffix}(const {type} *x, {type} *y, size_t n) noexcept nogil\n"
)
NUMBER_IN_CYTHON = """
cdef inline floating {name}(floating x) noexcept nogil:
    cdef floating y
    if floating is float:
        {c_name}_f32(&x, &y, 1)
    else:
        {c_name}_f64(&x, &y, 1)
    return y
"""


def functions() -> list[str]:
    rows = (SOURCE / "registry.h").read_text().partition("#define GELU_FUNCTIONS(X)")[2]
    return re.findall(r"^ +X\((\w+),", rows.partition("\n\n")[0], re.MULTILINE)


def c_name(name: str) -> str:
    return name if name.startswith("gelu") else f"gelu_{name}"


def arrays(template: str) -> str:
    return "\n".join(
        "".join(
            template.format(c_name=c_name(name), suffix=suffix, type=type_)
            for suffix, type_ in TYPES.items()
        )
        for name in functions()
    )


def numbers() -> str:
    return "\n".join(
        NUMBER_IN_CYTHON.format(name=name, c_name=c_name(name)) for name in functions()
    ).removeprefix("\n")


def files() -> dict[pathlib.Path, str]:
    """What each file has to hold."""
    declarations = DECLARATIONS.replace("@", arrays(ARRAY_IN_CYTHON), 1).replace("@", numbers())
    return {
        PACKAGE / "include" / "gelu_ufunc.h": HEADER.replace("@", arrays(ARRAY_IN_C)),
        PACKAGE / "__init__.pxd": declarations,
    }


if __name__ == "__main__":
    for path, text in files().items():
        path.write_text(text)
