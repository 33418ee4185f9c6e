"""A matrix product by a chain of four processes: each has a quarter of K, adds its product to the sum that it is given, and passes it on."""

import htp
from htp import In, Out, f32
from htp_csp import channels, pipeline, process
from htp_tile import Tensor, matmul, tiles, zeros

M = htp.dim("M")
B = 16
LINKS = 4
K = LINKS * B
N = 16


@pipeline
def gemm_chain(a: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    sums = channels(LINKS - 1, f32, tiles(M, 8), N, capacity=2)

    @process(grid=LINKS)
    def link(p: int) -> None:
        for i in tiles(M, 8):
            acc = zeros(f32, i, N)
            if p > 0:
                acc = acc + sums[p - 1].get()
            acc = matmul(a[i, B * p : B * p + B], b[B * p : B * p + B, :], acc)
            if p < LINKS - 1:
                sums[p].put(acc)
            else:
                c[i, :] = acc
