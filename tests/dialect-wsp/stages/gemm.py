"""The product of two matrices as a workload, and a schedule that says how big its blocks are and which loops run at once."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, matmul, zeros
from htp_wsp import P, Schedule, schedule, seq, workload

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@workload
def w(a: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(a[i, k], b[k, j], acc)
            c[i, j] = acc


@schedule(w)
def blocked(s: Schedule) -> None:
    s.tile("i", 64, 16)
    s.tile("j", 64)
    s.tile("k", 64)
    s.bind("i_0", level="core")
    s.parallel("j")
# ── wsp.apply ──
"""The product of two matrices as a workload, and a schedule that says how big its blocks are and which loops run at once."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, matmul, zeros
from htp_wsp import P, Schedule, schedule, seq, workload

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@workload
def w(a: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    for i_0 in htp.parallel(P(M, 64), level='core'):
        for i in P(i_0, 16):
            for j in htp.parallel(P(N, 64)):
                acc = zeros(f32, i, j)
                for k in seq(K, 64):
                    acc = matmul(a[i, k], b[k, j], acc)
                c[i, j] = acc


@schedule(w)
def blocked(s: Schedule) -> None:
    pass
# ── wsp.lower ──
"""The product of two matrices as a workload, and a schedule that says how big its blocks are and which loops run at once."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, matmul, zeros
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@tile.kernel
def w(a: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    for i_0 in htp.parallel(tile.tiles(M, 64), level='core'):
        for i in tile.tiles(i_0, 16):
            for j in htp.parallel(tile.tiles(N, 64)):
                acc = zeros(f32, i, j)
                for k in tile.tiles(K, 64):
                    acc = matmul(a[i, k], b[k, j], acc)
                c[i, j] = acc
