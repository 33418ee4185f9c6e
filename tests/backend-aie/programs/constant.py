"""An output that nothing is taken for."""

import htp
from htp import Out, f32
from htp_tile import Tensor, full, kernel, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def constant(y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 4):
        y[i, :] = full(f32, 1.5, i, N)
