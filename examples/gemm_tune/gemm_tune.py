"""The product of two matrices as a workload, and two schedules that leave their sizes open: `htp-host tune` finds the fastest of them."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, matmul, zeros
from htp_wsp import P, Schedule, schedule, seq, workload

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")

ROWS = htp.choice(16, 4, 64)
COLUMNS = htp.choice(64, 16, 256)
DEPTH = htp.choice(64, 256)


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
    s.tile("i", ROWS)
    s.tile("j", COLUMNS)
    s.tile("k", DEPTH)
    s.bind("i", level="core")


@schedule(gemm)
def packed(s: Schedule) -> None:
    s.tile("i", ROWS)
    s.tile("j", COLUMNS)
    s.tile("k", DEPTH)
    s.reorder("j", "i")
    s.cache("b", at="j")
    s.bind("j", level="core")
