"""A toy."""

import htp
from htp_toy import add, double, entry, strided


@entry
def main() -> None:
    x = 1 + 2
    pass
    y: int = double(x)
    z: strided(2, 4) = y
    w: strided(8, 1) = add(z, y)
    v: int = double(w)
