"""A grid of products whose parts are not made of whole blocks: each part is filled up by itself."""

import htp
from htp import In, Out, bf16, f32
from htp_csp import R, S, pipeline, process, shard
from htp_tile import Tensor, matmul, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@pipeline
def ragged_grid(a: In[Tensor[bf16, 2 * M, K]], b: In[Tensor[bf16, K, 2 * N]], c: Out[Tensor[f32, 2 * M, 2 * N]]) -> None:
    @process(grid=(2, 2), args=(shard(a, S(0), R), shard(b, R, S(1)), shard(c, S(0), S(1))))
    def work(p: int, q: int, a: In[Tensor[bf16, M, K]], b: In[Tensor[bf16, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
        for i in tiles(M, 8):
            for j in tiles(N, 8):
                acc = zeros(f32, i, j)
                for k in tiles(K, 32):
                    acc = matmul(a[i, k], b[k, j], acc)
                c[i, j] = acc
