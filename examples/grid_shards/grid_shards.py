"""Rows scaled by the largest of their part, over a grid: each place has its block of x and y, its columns of a weight, and all of a floor."""

import htp
from htp import In, Out, f32
from htp_csp import R, S, channels, pipeline, process, shard
from htp_tile import Tensor, absolute, maximum, reduce_max, tiles

M = htp.dim("M")
N = htp.dim("N")
ROWS = 2
COLUMNS = 3


@pipeline
def grid_shards(
    x: In[Tensor[f32, ROWS * M, COLUMNS * N]],
    weight: In[Tensor[f32, 1, COLUMNS * N]],
    least: In[Tensor[f32, 1, 1]],
    y: Out[Tensor[f32, ROWS * M, COLUMNS * N]],
    scale: Out[Tensor[f32, ROWS * M, COLUMNS]],
) -> None:
    largest = channels((ROWS, COLUMNS), f32, tiles(M, 8), 1, capacity=2)

    @process(grid=(ROWS, COLUMNS), args=(shard(x, S(0), S(1)), least, shard(scale, S(0), S(1))))
    def measure(i: int, j: int, x: In[Tensor[f32, M, N]], least: In[Tensor[f32, 1, 1]], scale: Out[Tensor[f32, M, 1]]) -> None:
        for m in tiles(M, 8):
            most = maximum(reduce_max(absolute(x[m, :]), axis=1), least[:, :])
            scale[m, :] = most
            largest[i, j].put(most)

    @process(grid=(ROWS, COLUMNS), args=(shard(x, S(0), S(1)), shard(weight, R, S(1)), shard(y, S(0), S(1))))
    def divide(i: int, j: int, x: In[Tensor[f32, M, N]], weight: In[Tensor[f32, 1, N]], y: Out[Tensor[f32, M, N]]) -> None:
        for m in tiles(M, 8):
            y[m, :] = x[m, :] / largest[i, j].get() * weight[:, :]
