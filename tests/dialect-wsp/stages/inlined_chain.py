"""A buffer that is computed from another, of which each has two consumers: what one place is read for twice is computed once."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, buffer, exp
from htp_wsp import P, Schedule, schedule, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, N)
    g = buffer(f32, M, N)
    for i in P(M):
        for j in P(N):
            t = x[i, j] + 1.0
            h[i, j] = exp(t)
    for p in P(M):
        for q in P(N):
            g[p, q] = h[p, q] * 2.0 + h[p, q]
    for u in P(M):
        for v in P(N):
            y[u, v] = g[u, v] + h[u, v]
    for a in P(M):
        for b in P(N):
            z[a, b] = g[a, b] - x[a, b]


@schedule(w)
def s(s: Schedule) -> None:
    s.inline("g")
    s.inline("h")
# ── wsp.apply ──
"""A buffer that is computed from another, of which each has two consumers: what one place is read for twice is computed once."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, buffer, exp
from htp_wsp import P, Schedule, schedule, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for u in P(M):
        for v in P(N):
            t_1 = x[u, v] + 1.0
            h_1 = exp(t_1)
            y[u, v] = h_1 * 2.0 + h_1 + h_1
    for a in P(M):
        for b in P(N):
            t_2 = x[a, b] + 1.0
            h_2 = exp(t_2)
            z[a, b] = h_2 * 2.0 + h_2 - x[a, b]


@schedule(w)
def s(s: Schedule) -> None:
    pass
# ── wsp.lower ──
"""A buffer that is computed from another, of which each has two consumers: what one place is read for twice is computed once."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, buffer, exp
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")


@tile.kernel
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for u in tile.tiles(M, 64):
        for v in tile.tiles(N, 64):
            t_1 = x[u, v] + 1.0
            h_1 = exp(t_1)
            y[u, v] = h_1 * 2.0 + h_1 + h_1
    for a in tile.tiles(M, 64):
        for b in tile.tiles(N, 64):
            t_2 = x[a, b] + 1.0
            h_2 = exp(t_2)
            z[a, b] = h_2 * 2.0 + h_2 - x[a, b]
