"""What acme adds to the language of tiles."""

import htp
from htp import Value, f32, f64, i32


@htp.intrinsic(name="acme.swish", rule="activation", effects="", spaces="", cost="4 * size(result)")
def swish(x: f32 | f64 | i32, beta: float = 1.0) -> Value:
    """x / (1 + exp(-beta * x)), elementwise. Of integers the result is f32.

    >>> y = swish(x, beta=1.5)
    """
    wide = htp.convert(x, f32) if isinstance(x, i32) else x
    scaled = htp.binary("mul", wide, -beta)
    return htp.binary("div", wide, htp.binary("add", htp.unary("exp", scaled), 1.0))
