"""A layer as a workload of tasks: a scheduled product, a pipeline over its rows, and loops behind it."""

import htp
from htp import In, InOut, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, exp, matmul, reduce_max, reduce_sum, tiles, zeros
from htp_wsp import P, Schedule, schedule, seq, workload

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")
SCALE = 0.0625


@workload
def gemm(a: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: InOut[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(a[i, k], b[k, j], acc)
            c[i, j] = acc * SCALE


@schedule(gemm)
def blocked(s: Schedule) -> None:
    s.tile("i", 8)
    s.tile("j", 16)
    s.tile("k", 32)


@pipeline
def softmax(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=1)

    @process
    def shift() -> None:
        for i in tiles(M, 8):
            row = x[i, :]
            rows.put(exp(row - reduce_max(row, axis=1)))

    @process
    def divide() -> None:
        for i in tiles(M, 8):
            e = rows.get()
            y[i, :] = e / reduce_sum(e, axis=1)


@workload
def workload_of_tasks(
    x: In[Tensor[f32, M, K]], w: In[Tensor[f32, K, N]], h: InOut[Tensor[f32, M, N]], p: InOut[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]
) -> None:
    blocked(x, w, h)
    softmax(h, p)
    for i in P(M):
        y[i, :] = p[i, :] + h[i, :] * 0.5
