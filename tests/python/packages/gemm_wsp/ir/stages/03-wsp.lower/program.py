"""The product of two matrices as a workload, and a schedule."""

import htp

htp.stage(after="wsp.lower", holds=["Tile.Kernel"], then=[], entry="gemm", target="cpu")
from htp import In, Out, f32
from htp_tile import Tensor, kernel, matmul, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def gemm(a: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    for i_0 in htp.parallel(tiles(M, 64), level="core"):
        for i in tiles(i_0, 16):
            for j in tiles(N, 64):
                acc = zeros(f32, i, j)
                for k in tiles(K, 64):
                    acc = matmul(a[i, k], b[k, j], acc)
                c[i, j] = acc
