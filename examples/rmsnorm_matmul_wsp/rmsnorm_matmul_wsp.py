"""RMSNorm and the product behind it as one megakernel: three nests of loops in one workload, which the schedule here makes one;
rmsnorm_matmul_apart.py keeps them as three tasks. Each block of rows is normalised where the product needs it."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, buffer, matmul, reduce_sum, rsqrt, zeros
from htp_wsp import P, Schedule, schedule, seq, workload

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")
EPSILON = 1.0e-5


@workload
def rmsnorm_matmul(x: In[Tensor[f32, M, K]], gain: In[Tensor[f32, 1, K]], w: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    scale = buffer(f32, M, 1)
    for p in P(M):
        square = zeros(f32, p, 1)
        for q in seq(K):
            square = square + reduce_sum(x[p, q] * x[p, q], axis=1)
        scale[p, :] = rsqrt(square + EPSILON)
    h = buffer(f32, M, K)
    for r in P(M):
        for t in P(K):
            h[r, t] = x[r, t] * scale[r, :] * gain[:, t]
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(h[i, k], w[k, j], acc)
            y[i, j] = acc


@schedule(rmsnorm_matmul)
def fused(s: Schedule) -> None:
    """One loop over blocks of rows; the normalised block is computed once for all columns."""
    s.tile("i", 32)
    s.tile("q", 64)
    s.tile("t", 64)
    s.tile("j", 64)
    s.tile("k", 64)
    s.compute_at("r", at="i")
    s.compute_at("p", at="i")
    s.bind("i", level="core")
