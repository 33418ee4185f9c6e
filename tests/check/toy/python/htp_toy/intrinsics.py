"""The toy's intrinsics."""

from __future__ import annotations

import htp


@htp.intrinsic(name="toy.double", rule="same", effects="", spaces="", cost="1")
def double(x: int) -> int:
    """Twice x.

    >>> y = double(2)
    """
    return x + x


@htp.intrinsic(name="toy.add", rule="same", effects="", spaces="", cost="1")
def add(x: int, y: int = 0) -> int:
    """x and y.

    >>> z = add(1, 2)
    """
    return x + y
