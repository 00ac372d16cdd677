"""Memory for tests: arrays beside pages that may not be touched, views of every layout."""

import ctypes
import math
import mmap

import numpy as np

LENGTHS = (*range(131), 255, 256, 257, 511, 512, 513)


class GuardedPages:
    """Readable bytes between two pages that end the process when read or written."""

    def __init__(self, size):
        page = mmap.PAGESIZE
        self.size = -(-size // page) * page
        self.map = mmap.mmap(-1, self.size + 2 * page)
        start = ctypes.addressof(ctypes.c_char.from_buffer(self.map))
        for guard in (start, start + page + self.size):
            if ctypes.CDLL(None).mprotect(ctypes.c_void_p(guard), page, 0):
                raise OSError("mprotect failed")

    def bytes(self):
        return np.frombuffer(self.map, np.uint8, self.size, mmap.PAGESIZE)

    def array(self, n, dtype, at_end):
        """n numbers touching the guard behind or before them."""
        start = self.size - n * dtype.itemsize if at_end else 0
        return self.bytes()[start : start + n * dtype.itemsize].view(dtype)


def aligned_bytes(size, alignment=64):
    raw = np.zeros(size + alignment, np.uint8)
    start = -raw.ctypes.data % alignment
    return raw[start : start + size]


def random_layout(rng, shape):
    """Makes views of this shape of a flat array: axes in any order, each step 1 to 3, any sign.

    The array needs layout_room(shape) elements."""
    order = rng.permutation(len(shape))
    steps = rng.integers(1, 4, len(shape))
    extents = tuple(int(shape[axis] * steps[axis]) for axis in order)
    # The ellipsis keeps what has no axis an array.
    thin_out = (..., *(slice(None, None, int(steps[axis])) for axis in order))
    reverse = (..., *(slice(None, None, int(sign)) for sign in rng.choice([-1, 1], len(shape))))
    start = int(rng.integers(0, 8))

    def view(base):
        block = base[start : start + math.prod(extents)].reshape(extents)
        return block[thin_out].transpose(np.argsort(order))[reverse]

    return view


def layout_room(shape):
    return 8 + math.prod(3 * n for n in shape)


def random_shape(rng):
    """Up to four axes; now and then a long one, an empty one, no axis at all."""
    shape = rng.integers(1, 6, rng.integers(0, 5))
    if shape.size and rng.random() < 0.3:
        shape[rng.integers(shape.size)] = rng.choice([0, 1, 17, 40])
    return tuple(int(n) for n in shape)


def describe(array):
    return f"shape {array.shape} strides {array.strides} {array.dtype.str}"
