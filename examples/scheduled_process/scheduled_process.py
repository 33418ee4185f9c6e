"""A pipeline with a process that runs a scheduled workload: rows come in, are multiplied by a matrix in blocks, and go out."""

import htp
from htp import In, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, buffer, matmul, tiles, zeros
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
    s.tile("i", 8)
    s.tile("j", 16)
    s.tile("k", 32)


@pipeline
def scheduled_process(x: In[Tensor[f32, M, N]], w: In[Tensor[f32, N, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 32), N, capacity=2)
    done = channel(f32, tiles(M, 32), N, capacity=2)

    @process
    def load() -> None:
        for i in tiles(M, 32):
            rows.put(x[i, :])

    @process
    def multiply() -> None:
        for i in tiles(M, 32):
            given = buffer(f32, i, N)
            product = buffer(f32, i, N)
            given[i, :] = rows.get()
            blocked(given, w, product)
            done.put(product[i, :])

    @process
    def store() -> None:
        for i in tiles(M, 32):
            y[i, :] = done.get()
