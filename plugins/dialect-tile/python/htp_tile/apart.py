"""The intrinsic of the tile language that calls what is compiled apart.

The build reads this file and never runs it: keep a declaration to `@htp.intrinsic(...)` with literal arguments on a plain function with
annotated parameters. The typing rules, by the names in `rule=`:

    apart        what the function's signature says, its dimensions being the operands' extents
"""

from collections.abc import Callable
from typing import Any

import htp
from htp import Element
from htp_tile.kernels import result_of


@htp.intrinsic(name="tile.call", rule="apart", effects="", spaces="", cost="size(result)")
def call(function: Callable[..., Any], *operands: Element | float | int, result: int = 0) -> Element:
    """What a function that is compiled apart makes of tiles and numbers, and which of its results that is. A call of such a function by its
    name is this one, for a target that links what others compiled; for the rest its body is what it does.

    >>> y = call(scaled, x, by)
    """
    made: Element = result_of(function(*operands), result)
    return made
