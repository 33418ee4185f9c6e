"""The intrinsic of the tile language that calls what is compiled apart.

The build reads this file and never runs it: keep a declaration to `@htp.intrinsic(...)` with literal arguments on a plain function with
annotated parameters. The typing rules, by the words in `rule=`:

    apart        what the function's signature says, its dimensions being the operands' extents
"""

from collections.abc import Callable

import htp
from htp import Element


@htp.intrinsic(name="tile.call", rule="apart", effects="", spaces="", cost="size(result)")
def call(function: Callable[..., Element], *operands: Element) -> Element:
    """What a function that is compiled apart makes of tiles. A call of such a function by its name is this one, for a target that links
    what others compiled; for the rest its body is what it does.

    >>> y = call(scaled, x, by)
    """
    return function(*operands)
