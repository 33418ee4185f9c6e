"""Local copies: of a block, of what several loops read, turned, and ahead of the iteration that needs it."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, matmul, transpose, zeros
from htp_wsp import P, Schedule, schedule, seq, workload

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@workload
def w(a: In[Tensor[f32, M, K]], b: In[Tensor[f32, N, K]], c: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(a[i, k], transpose(b[j, k]), acc)
            c[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.tile("i", 64, 16)
    s.tile("j", 32)
    s.tile("k", 64)
    s.cache("a", at="i_0")
    s.pack("b", at="j", space="memory")
    s.prefetch("a_local", at="k", space="stack")
    s.buffer("a_local", space="memory")
# ── wsp.apply ──
"""Local copies: of a block, of what several loops read, turned, and ahead of the iteration that needs it."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, matmul, transpose, zeros, buffer
from htp_wsp import P, Schedule, schedule, seq, workload

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@workload
def w(a: In[Tensor[f32, M, K]], b: In[Tensor[f32, N, K]], c: Out[Tensor[f32, M, N]]) -> None:
    for i_0 in P(M, 64):
        a_local: Tensor[f32, i_0, K, htp.space('memory')] = buffer(f32, i_0, K)
        a_local[i_0, :] = a[i_0, :]
        for i in P(i_0, 16):
            for j in P(N, 32):
                b_local: Tensor[f32, K, j, htp.space('memory')] = buffer(f32, K, j)
                b_local[:, j] = transpose(b[j, :])
                acc = zeros(f32, i, j)
                for k in htp.pipelined(seq(K, 64), depth=2):
                    a_local_local: Tensor[f32, i, k, htp.space('stack')] = buffer(f32, i, k)
                    a_local_local[i, k] = a_local[i, k]
                    acc = matmul(a_local_local[i, k], b_local[k, j], acc)
                c[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    pass
# ── wsp.lower ──
"""Local copies: of a block, of what several loops read, turned, and ahead of the iteration that needs it."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, matmul, transpose, zeros, buffer
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@tile.kernel
def w(a: In[Tensor[f32, M, K]], b: In[Tensor[f32, N, K]], c: Out[Tensor[f32, M, N]]) -> None:
    for i_0 in tile.tiles(M, 64):
        a_local: Tensor[f32, i_0, K, htp.space('memory')] = buffer(f32, i_0, K)
        a_local[i_0, :] = a[i_0, :]
        for i in tile.tiles(i_0, 16):
            for j in tile.tiles(N, 32):
                b_local: Tensor[f32, K, j, htp.space('memory')] = buffer(f32, K, j)
                b_local[:, j] = transpose(b[j, :])
                acc = zeros(f32, i, j)
                for k in htp.pipelined(tile.tiles(K, 64), depth=2):
                    a_local_local: Tensor[f32, i, k, htp.space('stack')] = buffer(f32, i, k)
                    a_local_local[i, k] = a_local[i, k]
                    acc = matmul(a_local_local[i, k], b_local[k, j], acc)
                c[i, j] = acc
