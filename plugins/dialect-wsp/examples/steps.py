"""A workload whose steps are workloads: a product by a schedule of its own, then its rows divided by their sums."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, buffer, matmul, reduce_sum, zeros
from htp_wsp import P, Schedule, schedule, seq, workload

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@workload
def product(a: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(a[i, k], b[k, j], acc)
            c[i, j] = acc


@schedule(product)
def blocked(s: Schedule) -> None:
    s.tile("i", 16)
    s.tile("j", 32)
    s.tile("k", 32)


@workload
def steps(x: In[Tensor[f32, M, N]], w: In[Tensor[f32, N, N]], y: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, N)
    blocked(x, w, h)
    for i in P(M):
        row = h[i, :]
        y[i, :] = row / (reduce_sum(row * row, axis=1) + 1.0)
