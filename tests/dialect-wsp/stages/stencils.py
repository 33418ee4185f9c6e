"""What a stencil reads around its own block: computed where it is read, and for each block in a buffer of its own."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, buffer, exp
from htp_wsp import P, Schedule, schedule, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def w(x: In[Tensor[f32, M + 4, N]], y: Out[Tensor[f32, M, N]]) -> None:
    g = buffer(f32, M + 4, N)
    for a in P(M + 4):
        for b in P(N):
            t = exp(x[a, b])
            g[a, b] = t + 1.0
    h = buffer(f32, M + 2, N)
    for p in P(M + 2):
        for q in P(N):
            h[p, q] = g[p, q] + g[p + 1, q] * 2.0 + g[p + 2, q]
    for i in P(M):
        for j in P(N):
            y[i, j] = h[i + 2, j] - h[1 + i, j]


@schedule(w)
def s(s: Schedule) -> None:
    s.tile("i", 32, 8)
    s.inline("g")
    s.compute_at("p", at="i_0")
    s.parallel("i_0")
# ── wsp.apply ──
"""What a stencil reads around its own block: computed where it is read, and for each block in a buffer of its own."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, buffer, exp
from htp_wsp import P, Schedule, schedule, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def w(x: In[Tensor[f32, M + 4, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i_0 in htp.parallel(P(M, 32)):
        h = buffer(f32, 33, N)
        for q in P(N):
            t_1 = exp(x[i_0 + 1, q])
            t_2 = exp(x[i_0 + 2, q])
            t_3 = exp(x[i_0 + 3, q])
            h[i_0 - i_0.start, q] = t_1 + 1.0 + (t_2 + 1.0) * 2.0 + (t_3 + 1.0)
        for n in range(1):
            for q_1 in P(N):
                t_1_1 = exp(x[i_0.stop + n + 1, q_1])
                t_2_1 = exp(x[i_0.stop + n + 2, q_1])
                t_3_1 = exp(x[i_0.stop + n + 3, q_1])
                h[i_0.stop - i_0.start + n, q_1] = t_1_1 + 1.0 + (t_2_1 + 1.0) * 2.0 + (t_3_1 + 1.0)
        for i in P(i_0, 8):
            for j in P(N):
                y[i, j] = h[i - i_0.start + 1, j] - h[i - i_0.start, j]


@schedule(w)
def s(s: Schedule) -> None:
    pass
# ── wsp.lower ──
"""What a stencil reads around its own block: computed where it is read, and for each block in a buffer of its own."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, buffer, exp
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")


@tile.kernel
def w(x: In[Tensor[f32, M + 4, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i_0 in htp.parallel(tile.tiles(M, 32)):
        h = buffer(f32, 33, N)
        for q in tile.tiles(N, 64):
            t_1 = exp(x[i_0 + 1, q])
            t_2 = exp(x[i_0 + 2, q])
            t_3 = exp(x[i_0 + 3, q])
            h[i_0 - i_0.start, q] = t_1 + 1.0 + (t_2 + 1.0) * 2.0 + (t_3 + 1.0)
        for n in range(1):
            for q_1 in tile.tiles(N, 64):
                t_1_1 = exp(x[i_0.stop + n + 1, q_1])
                t_2_1 = exp(x[i_0.stop + n + 2, q_1])
                t_3_1 = exp(x[i_0.stop + n + 3, q_1])
                h[i_0.stop - i_0.start + n, q_1] = t_1_1 + 1.0 + (t_2_1 + 1.0) * 2.0 + (t_3_1 + 1.0)
        for i in tile.tiles(i_0, 8):
            for j in tile.tiles(N, 64):
                y[i, j] = h[i - i_0.start + 1, j] - h[i - i_0.start, j]
