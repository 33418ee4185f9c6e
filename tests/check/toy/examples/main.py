"""A toy."""

import htp
from htp import Out, Tensor, i32
from htp_toy import add, double, entry, strided


@entry
def main(out: Out[Tensor[i32, 4]]) -> None:
    x = 1 + 2
    pass
    y: int = double(x)
    z: strided(2, 4) = y
    w: strided(8, 1) = add(z, y)
    v: int = double(w)
    out.data[:] = v
