"""A matrix with its rows as columns, block by block, so that both sides are met in short runs."""

import htp
import htp_tile as tile
from htp import In, Out, f32
from htp_tile import Tensor, kernel, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def transpose(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, N, M]]) -> None:
    for i in tiles(M, 32):
        for j in tiles(N, 32):
            y[j, i] = tile.transpose(x[i, j])
