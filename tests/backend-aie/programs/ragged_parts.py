"""A grid of products whose parts have rows that are no multiple of 4 bytes: each part's rows are filled up, and what is multiplied by them."""

import htp
from htp import In, Out, i8, i32
from htp_csp import R, S, pipeline, process, shard
from htp_tile import Tensor, matmul, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@pipeline
def ragged_parts(a: In[Tensor[i8, 2 * M, K]], b: In[Tensor[i8, K, 3 * N]], y: Out[Tensor[i32, 2 * M, 3 * N]]) -> None:
    @process(grid=(2, 3), args=(shard(a, S(0), R), shard(b, R, S(1)), shard(y, S(0), S(1))))
    def work(p: int, q: int, a: In[Tensor[i8, M, K]], b: In[Tensor[i8, K, N]], y: Out[Tensor[i32, M, N]]) -> None:
        acc = zeros(i32, M, N)
        for k in tiles(K, 16):
            acc = matmul(a[:, k], b[k, :], acc)
        y[:, :] = acc
