"""Kernels, and the loop that cuts a dimension into blocks."""

from collections.abc import Callable, Iterable

import htp
from htp import Block, Extent


class Kernel(htp.Entry):
    """A function over tensors, called with NumPy arrays."""


def kernel(function: Callable[..., None]) -> Kernel:
    """Makes a function whose parameters are In, Out and InOut tensors a kernel."""
    return Kernel(function)


def tiles(extent: Extent, size: int) -> Iterable[Block]:
    """The blocks of at most `size` indices that make up a dimension, an int or a block; the last is shorter if it must be."""
    return htp.cut(extent, size)
