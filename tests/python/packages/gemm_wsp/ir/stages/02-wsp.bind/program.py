"""The product of two matrices as a workload, and a schedule."""

import htp

htp.stage(after="wsp.bind", holds=["Wsp.Bound", "Wsp.Tiled"], then=["wsp.lower"], entry="blocked", target="cpu")
from htp import In, Out, f32
from htp_tile import Tensor, matmul, tiles, zeros
from htp_wsp import Schedule, schedule, workload

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@workload
def gemm(a: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    for i_0 in htp.parallel(tiles(M, 64), level="core"):
        for i in tiles(i_0, 16):
            for j in tiles(N, 64):
                acc = zeros(f32, i, j)
                for k in tiles(K, 64):
                    acc = matmul(a[i, k], b[k, j], acc)
                c[i, j] = acc


@schedule(gemm)
def blocked(s: Schedule) -> None:
    pass
