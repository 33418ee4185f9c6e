"""A matrix product by a grid of processes: each has a block of the result, and what it needs of both factors."""

import htp
from htp import In, Out, f32
from htp_csp import R, S, pipeline, process, shard
from htp_tile import Tensor, matmul, tiles, zeros

K = htp.dim("K")
ROWS = 4
COLUMNS = 2
B = 16
M = ROWS * B
N = COLUMNS * B


@pipeline
def gemm_grid(a: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    @process(grid=(ROWS, COLUMNS), args=(shard(a, S(0), R), shard(b, R, S(1)), shard(c, S(0), S(1))))
    def cell(i: int, j: int, a: In[Tensor[f32, B, K]], b: In[Tensor[f32, K, B]], c: Out[Tensor[f32, B, B]]) -> None:
        acc = zeros(f32, B, B)
        for k in tiles(K, 32):
            acc = matmul(a[:, k], b[k, :], acc)
        c[:, :] = acc
