"""A gated layer as one kernel, of kernels that are written and tested apart: a norm, two products and a gate."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, buffer, kernel, matmul, reduce_sum, rsqrt, sigmoid, tiles, zeros
from htp_wsp import P, Schedule, schedule, workload

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def norm(x: In[Tensor[f32, M, K]], h: Out[Tensor[f32, M, K]]) -> None:
    for i in tiles(M, 8):
        row = x[i, :]
        h[i, :] = row * rsqrt(reduce_sum(row * row, axis=1) + 1.0e-6)


@kernel
def product(a: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        for j in tiles(N, 32):
            acc = zeros(f32, i, j)
            for k in tiles(K, 32):
                acc = matmul(a[i, k], b[k, j], acc)
            c[i, j] = acc


@workload
def megakernel(x: In[Tensor[f32, M, K]], up: In[Tensor[f32, K, N]], gate: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, K)
    norm(x, h)
    u = buffer(f32, M, N)
    product(h, up, u)
    g = buffer(f32, M, N)
    product(h, gate, g)
    for m in P(M):
        y[m, :] = g[m, :] * sigmoid(g[m, :]) * u[m, :]


@schedule(megakernel)
def rows(s: Schedule) -> None:
    s.tile("m", 8)
    s.bind("m", level="core")
