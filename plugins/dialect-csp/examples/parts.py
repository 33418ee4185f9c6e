"""Doubles a matrix by four processes, each of which has a part of its rows."""

import htp
from htp import In, Out, f32
from htp_csp import R, S, pipeline, process, shard
from htp_tile import Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def parts(x: In[Tensor[f32, 4 * M, N]], y: Out[Tensor[f32, 4 * M, N]]) -> None:
    @process(grid=4, args=(shard(x, S(0), R), shard(y, S(0), R)))
    def double(place: int, x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
        for i in tiles(M, 8):
            y[i, :] = x[i, :] * 2.0
