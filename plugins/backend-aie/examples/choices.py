"""What the first passes have to do: a branch that a constant decides, and a function in C++ that updates a tile."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, Tile, external, kernel, tiles

M = 32
R = htp.dim("R")
TWICE = True


@external("""extern "C" void doubled(float *x, int rows) {
  for (int n = 0; n < rows * 16; ++n) x[n] += x[n];
}
""", updates="x")
def doubled(x: Tile[f32, R, 16]) -> Tile[f32, R, 16]:
    return x + x


@kernel
def choices(x: In[Tensor[f32, M, 16]], y: Out[Tensor[f32, M, 16]]) -> None:
    for i in tiles(M, 8):
        more = x[i, :] + 1.0
        if TWICE:
            more = doubled(more) + more
        y[i, :] = more
