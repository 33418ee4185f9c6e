"""The toy's words."""

from collections.abc import Callable

import htp

from .intrinsics import add, double

__all__ = ["add", "double", "entry", "strided"]


def entry(function: Callable[..., None]) -> htp.Entry:
    """Marks what is compiled."""
    return htp.Entry(function)


def strided(rows: int, columns: int) -> htp.Layout:
    """Rows of columns."""
    return htp.layout(((rows, columns, "m"), (columns, 1, "n")))
