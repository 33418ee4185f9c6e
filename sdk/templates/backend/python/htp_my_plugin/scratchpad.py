"""The scratchpad, when a stage runs under plain Python: one memory, in which two tiles may have the same bytes."""

from collections.abc import Sequence
from math import prod
from typing import Any, TypeVar

import numpy as np
from htp import Extent, HtpError, Value, size_of

V = TypeVar("V", bound=Value)

_memory = np.empty(1 << 24, np.uint8)
"""As large as any; what a profile says of the hardware is checked when a program is compiled."""


def buffer(dtype: type[V], extents: Sequence[Extent], at: int, nbytes: int) -> V:
    """A tile whose elements are bytes of the scratchpad."""
    shape = [size_of(extent) for extent in extents]
    size = prod(shape) * dtype.element.itemsize
    if size > nbytes:
        raise HtpError(f"a tile of {size} bytes has {nbytes}")
    elements: Any = _memory[at : at + size].view(dtype.element).reshape(shape)
    elements[...] = dtype.poison
    return dtype.of(elements, 0)


def limit(size: Extent, most: int) -> None:
    """Refuses a size whose tiles do not fit."""
    if size_of(size) > most:
        raise HtpError(f"a dim is {size_of(size)}, and tiles fit the scratchpad up to {most}")


def write(target: V, result: Any) -> None:
    """Writes a result to a tile that is there."""
    if result.shape != target.shape:
        raise HtpError(f"{result.shape} elements do not fit a tile of {target.shape}")
    target.data[...] = result.data
    target.depth = result.depth
