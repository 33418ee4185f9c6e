"""What is computed first is computed where it is needed: in the consumer's loop, and in its statement."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, buffer, exp, matmul, reduce_sum, rsqrt, zeros
from htp_wsp import P, Schedule, schedule, seq, workload

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    scale = buffer(f32, M, 1)
    for p in P(M):
        row = x[p, :]
        scale[p, :] = rsqrt(reduce_sum(row * row, axis=1))
    h = buffer(f32, M, K)
    for q in P(M):
        for r in P(K):
            t = exp(x[q, r])
            h[q, r] = t * scale[q, :]
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(h[i, k], b[k, j], acc)
            c[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.tile("i", 64)
    s.tile("p", 16)
    s.compute_at("q", at="i")
    s.compute_at("p", at="i")
    s.parallel("i")
# ── wsp.apply ──
"""What is computed first is computed where it is needed: in the consumer's loop, and in its statement."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, buffer, exp, matmul, reduce_sum, rsqrt, zeros
from htp_wsp import P, Schedule, schedule, seq, workload

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    scale = buffer(f32, M, 1)
    h = buffer(f32, M, K)
    for i in htp.parallel(P(M, 64)):
        for p in P(i, 16):
            row = x[p, :]
            scale[p, :] = rsqrt(reduce_sum(row * row, axis=1))
        for r in P(K):
            t = exp(x[i, r])
            h[i, r] = t * scale[i, :]
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(h[i, k], b[k, j], acc)
            c[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    pass
# ── wsp.lower ──
"""What is computed first is computed where it is needed: in the consumer's loop, and in its statement."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, buffer, exp, matmul, reduce_sum, rsqrt, zeros
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@tile.kernel
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    scale = buffer(f32, M, 1)
    h = buffer(f32, M, K)
    for i in htp.parallel(tile.tiles(M, 64)):
        for p in tile.tiles(i, 16):
            row = x[p, :]
            scale[p, :] = rsqrt(reduce_sum(row * row, axis=1))
        for r in tile.tiles(K, 64):
            t = exp(x[i, r])
            h[i, r] = t * scale[i, :]
        for j in tile.tiles(N, 64):
            acc = zeros(f32, i, j)
            for k in tile.tiles(K, 64):
                acc = matmul(h[i, k], b[k, j], acc)
            c[i, j] = acc
