"""A matrix product by a grid of 36 processes, more than npu1 has cores: each has a block of the result, and the parts of both factors that it needs."""

import htp
from htp import In, Out, f32
from htp_csp import R, S, pipeline, process, shard
from htp_tile import Tensor, matmul, tiles, zeros

K = htp.dim("K")
P = 6
B = 8
N = P * B


@pipeline
def gemm_places(a: In[Tensor[f32, N, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, N, N]]) -> None:
    @process(grid=(P, P), args=(shard(a, S(0), R), shard(b, R, S(1)), shard(c, S(0), S(1))))
    def cell(i: int, j: int, a: In[Tensor[f32, B, K]], b: In[Tensor[f32, K, B]], c: Out[Tensor[f32, B, B]]) -> None:
        acc = zeros(f32, B, B)
        for k in tiles(K, 32):
            acc = matmul(a[:, k], b[k, :], acc)
        c[:, :] = acc
