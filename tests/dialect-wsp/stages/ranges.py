"""Loops over ranges, with and without a size, are loops from 0 on whose indices are moved; buffers over their blocks are not."""

import htp
from htp import In, InOut, Out, f32
from htp_tile import Tensor, buffer, exp, reduce_sum
from htp_wsp import P, Schedule, schedule, seq, workload

M = htp.dim("M")
N = htp.dim("N")
EDGE = 2


@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], s: Out[Tensor[f32, M, 1]]) -> None:
    for i in P(1, M - 1):
        for j in P(EDGE, N - EDGE, 16):
            y[i, j] = x[i - 1, j] + x[i + 1, j] + x[i, j - 2]
    for p in P(0, M):
        h = buffer(f32, p, N)
        h[p, :] = exp(x[p, :])
        s[p, :] = reduce_sum(h[p, :], axis=1)
        for k in seq(1, N):
            s[p, :] = s[p, :] + reduce_sum(x[p, k], axis=1)


@schedule(w)
def s(s: Schedule) -> None:
    s.tile("i", 64, 8)
    s.parallel("i_0")
# ── wsp.apply ──
"""Loops over ranges, with and without a size, are loops from 0 on whose indices are moved; buffers over their blocks are not."""

import htp
from htp import In, InOut, Out, f32
from htp_tile import Tensor, buffer, exp, reduce_sum
from htp_wsp import P, Schedule, schedule, seq, workload

M = htp.dim("M")
N = htp.dim("N")
EDGE = 2


@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], s: Out[Tensor[f32, M, 1]]) -> None:
    for i_0 in htp.parallel(P(M - 2, 64)):
        for i in P(i_0, 8):
            for j in P(N - 2 * EDGE, 16):
                y[i + 1, j + EDGE] = x[i, j + EDGE] + x[i + 2, j + EDGE] + x[i + 1, j + EDGE - 2]
    for p in P(M):
        h = buffer(f32, p, N)
        h[p, :] = exp(x[p, :])
        s[p, :] = reduce_sum(h[p, :], axis=1)
        for k in seq(N - 1):
            s[p, :] = s[p, :] + reduce_sum(x[p, k + 1], axis=1)


@schedule(w)
def s(s: Schedule) -> None:
    pass
# ── wsp.lower ──
"""Loops over ranges, with and without a size, are loops from 0 on whose indices are moved; buffers over their blocks are not."""

import htp
from htp import In, InOut, Out, f32
from htp_tile import Tensor, buffer, exp, reduce_sum
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")
EDGE = 2


@tile.kernel
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], s: Out[Tensor[f32, M, 1]]) -> None:
    for i_0 in htp.parallel(tile.tiles(M - 2, 64)):
        for i in tile.tiles(i_0, 8):
            for j in tile.tiles(N - 2 * EDGE, 16):
                y[i + 1, j + EDGE] = x[i, j + EDGE] + x[i + 2, j + EDGE] + x[i + 1, j + EDGE - 2]
    for p in tile.tiles(M, 64):
        h = buffer(f32, p, N)
        h[p, :] = exp(x[p, :])
        s[p, :] = reduce_sum(h[p, :], axis=1)
        for k in tile.tiles(N - 1, 64):
            s[p, :] = s[p, :] + reduce_sum(x[p, k + 1], axis=1)
