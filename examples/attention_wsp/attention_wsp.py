"""Attention as a workload: once over the keys for the largest score, once for the sums; attention_blocked.py has a schedule for it."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, exp, full, matmul, maximum, reduce_max, reduce_sum, transpose, zeros
from htp_wsp import P, seq, workload

M = htp.dim("M")
N = htp.dim("N")
LOWEST = -3.0e38
SCALE = 0.125


@workload
def attention(q: In[Tensor[f32, M, 64]], k: In[Tensor[f32, N, 64]], v: In[Tensor[f32, N, 64]], o: Out[Tensor[f32, M, 64]]) -> None:
    for i in P(M):
        top = full(f32, LOWEST, i, 1)
        for n in seq(N):
            top = maximum(top, reduce_max(matmul(q[i, :], transpose(k[n, :])) * SCALE, axis=1))
        total = zeros(f32, i, 1)
        acc = zeros(f32, i, 64)
        for j in seq(N):
            weights = exp(matmul(q[i, :], transpose(k[j, :])) * SCALE - top)
            total = total + reduce_sum(weights, axis=1)
            acc = matmul(weights, v[j, :], acc)
        o[i, :] = acc / total
