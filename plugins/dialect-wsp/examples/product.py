"""The product of two matrices as a workload, and a schedule that says how big its blocks are and which loops run at once."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, matmul, zeros
from htp_wsp import P, Schedule, schedule, seq, workload

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@workload
def gemm(a: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(a[i, k], b[k, j], acc)
            c[i, j] = acc


@schedule(gemm)
def blocked(s: Schedule) -> None:
    s.tile("i", 64, 16)
    s.tile("j", 64)
    s.tile("k", 64)
    s.bind("i_0", level="core")
    s.parallel("j")
