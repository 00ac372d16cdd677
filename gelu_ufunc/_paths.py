"""Where the parts for C programs are."""

import os

_PACKAGE = os.path.dirname(os.path.abspath(__file__))


def get_include() -> str:
    """The folder of the C header, `gelu_ufunc.h`.

    Returns
    -------
    str
        An absolute path, to be given to the compiler with ``-I``.

    See Also
    --------
    get_library_dir : the folder of the library.

    Examples
    --------
    >>> import os
    >>> import gelu_ufunc
    >>> os.listdir(gelu_ufunc.get_include())
    ['gelu_ufunc.h']
    """
    return os.path.join(_PACKAGE, "include")


def get_library_dir() -> str:
    """The folder of the C library, to be linked with ``-lgelu_ufunc``.

    Its subfolder ``pkgconfig`` has ``gelu_ufunc.pc`` for pkg-config, which the pkgconf of PyPI
    finds by itself. An editable install has no such folder.

    On Windows the library is a static one. Elsewhere it is shared: a program finds it by a run
    path, or because its process has imported ``gelu_ufunc`` before, which loads it.

    Returns
    -------
    str
        An absolute path, to be given to the linker with ``-L``.

    See Also
    --------
    get_include : the folder of the header.

    Examples
    --------
    >>> import os
    >>> import gelu_ufunc
    >>> "pkgconfig" in os.listdir(gelu_ufunc.get_library_dir())
    True
    """
    return os.path.join(_PACKAGE, "lib")
