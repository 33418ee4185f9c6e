"""A function in C++ that updates what it is given, of which something else is read behind it."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, Tile, external, kernel, tiles

M = htp.dim("M")
R = htp.dim("R")


@external(htp.text("in_place.cc"), updates="x")
def doubled(x: Tile[f32, R, 16]) -> Tile[f32, R, 16]:
    return x + x


@kernel
def in_place(x: In[Tensor[f32, M, 16]], y: Out[Tensor[f32, M, 16]]) -> None:
    for i in tiles(M, 8):
        more = x[i, :] + 1.0
        twice = doubled(more)
        y[i, :] = twice + more
