"""A grid of products by the matrix units, of more places than shims have channels: memory tiles make rows of what these share."""

import htp
from htp import In, Out, i8, i32
from htp_csp import R, S, pipeline, process, shard
from htp_tile import Tensor, matmul, tiles, zeros

K = htp.dim("K")
B = 16
M = 4 * B
N = 4 * B


@pipeline
def units_grid(a: In[Tensor[i8, M, K]], b: In[Tensor[i8, K, N]], c: Out[Tensor[i32, M, N]]) -> None:
    @process(grid=(4, 4), args=(shard(a, S(0), R), shard(b, R, S(1)), shard(c, S(0), S(1))))
    def cell(i: int, j: int, a: In[Tensor[i8, B, K]], b: In[Tensor[i8, K, B]], c: Out[Tensor[i32, B, B]]) -> None:
        acc = zeros(i32, B, B)
        for k in tiles(K, 32):
            acc = matmul(a[:, k], b[k, :], acc)
        c[:, :] = acc
