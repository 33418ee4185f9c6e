"""The intrinsics. The build reads this file and never runs it: `@htp.intrinsic(...)` takes literals only."""

import htp
from htp import Floating


@htp.intrinsic(name="my_plugin.softsign", rule="softsign", effects="", spaces="", cost="6 * size(result)")
def softsign(x: Floating) -> Floating:
    """x / (1 + |x|), elementwise: between -1 and 1, and about x near 0.

    >>> y = softsign(x)
    """
    return htp.binary("div", x, htp.binary("add", htp.unary("absolute", x), 1.0))
