"""Arrays that lie as a layout says."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from htp.errors import HtpError
from htp.layouts.core import Layout
from htp.layouts.memory import Bound, strided


def steps(layout: Layout, shape: Sequence[int]) -> tuple[int, ...]:
    """The steps in elements along each dimension of an array of that shape that lies so; of what is spread over devices, those of a row-major array.

    >>> from htp.layouts import ordered
    >>> steps(ordered((4, 8), (1, 0)), (4, 8))
    (1, 4)
    """
    if isinstance(layout, Bound):
        return layout.steps(shape)
    rows = tuple(prod(shape[k + 1 :]) for k in range(len(shape)))
    digits = (*layout.terms, *layout.replicate, *(digit for _, digit in layout.pending))
    if any(axis != "m" for digit in digits for step in digit.steps for axis, _ in step):
        return rows
    if layout.size != prod(shape):
        raise HtpError(f"a layout of {layout.size} elements has not the shape {tuple(shape)}")
    first = layout.at(0).get("m", 0)
    found = tuple(row if extent == 1 else layout.at(row).get("m", 0) - first for row, extent in zip(rows, shape))
    if first != 0 or any(step < 0 for step in found) or strided(shape, found) != layout:
        raise HtpError(f"an array of shape {tuple(shape)} has no strides that are {layout!r}")
    return found


def places(layout: Layout, shape: Sequence[int]) -> Any:
    """Where in its storage each element of a tensor of that shape lies, counted from the first.

    >>> from htp.layouts import packed
    >>> places(packed((2, 4), (2, 2), (0, 1), (0, 1)), (2, 4)).tolist()
    [[0, 1, 4, 5], [2, 3, 6, 7]]
    """
    if layout.size != prod(shape):
        raise HtpError(f"a layout of {layout.size} elements has not the shape {tuple(shape)}")
    index = np.arange(layout.size)
    found = np.zeros(layout.size, np.int64)
    for digit in reversed(layout.terms):
        value, index = index % digit.extent, index // digit.extent
        along = [dict(step).get("m", 0) for step in digit.steps]
        if digit.is_xor:
            moved = np.zeros_like(value)
            for bit, step in enumerate(along):
                moved ^= np.where(value >> bit & 1, step, 0)
            found += moved
        else:
            found += value * along[0]
    if layout.replicate or layout.pending or layout.offset or found.min(initial=0) < 0:
        raise HtpError(f"no storage is {layout!r} from its first element on")
    return found.reshape(tuple(shape))


def has_strides(layout: Layout, shape: Sequence[int]) -> bool:
    """Whether an array of that shape lies so. Else what is handed over is the storage by itself, an array of one dimension."""
    try:
        steps(layout, shape)
    except HtpError:
        return False
    return True


def array(values: Any, layout: Layout) -> Any:
    """A copy of an array that lies so, gaps included; of what no strides describe, blocks or a swizzle, the storage, an array of one dimension.

    >>> from htp.layouts import strided
    >>> array(np.zeros((4, 8), np.float32), strided((4, 8), (16, 1))).strides
    (64, 4)
    """
    given = np.asarray(values)
    if given.ndim > 1 and not has_strides(layout, given.shape):
        where = places(layout, given.shape)
        storage = np.zeros(int(where.max(initial=-1)) + 1, given.dtype)
        storage[where] = given
        return storage
    apart = steps(layout, given.shape)
    storage = np.zeros(1 + sum((extent - 1) * step for extent, step in zip(given.shape, apart)) if given.size else 0, given.dtype)
    view = np.lib.stride_tricks.as_strided(storage, given.shape, [step * given.itemsize for step in apart])
    view[...] = given
    return view


__all__ = ["array", "has_strides", "places", "steps"]
