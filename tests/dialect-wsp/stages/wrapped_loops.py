"""Loops that say how they run before a schedule cuts them: what they say stays with the outermost."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor
from htp_wsp import P, Schedule, schedule, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(P(M), level="core"):
        for j in htp.unrolled(htp.parallel(P(N))):
            y[i, j] = x[i, j]


@schedule(w)
def blocked(s: Schedule) -> None:
    s.tile("i", 64)
    s.tile("j", 32, 8)
# ── wsp.apply ──
"""Loops that say how they run before a schedule cuts them: what they say stays with the outermost."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor
from htp_wsp import P, Schedule, schedule, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(P(M, 64), level="core"):
        for j_0 in htp.unrolled(htp.parallel(P(N, 32))):
            for j in P(j_0, 8):
                y[i, j] = x[i, j]


@schedule(w)
def blocked(s: Schedule) -> None:
    pass
# ── wsp.lower ──
"""Loops that say how they run before a schedule cuts them: what they say stays with the outermost."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")


@tile.kernel
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(tile.tiles(M, 64), level="core"):
        for j_0 in htp.unrolled(htp.parallel(tile.tiles(N, 32))):
            for j in tile.tiles(j_0, 8):
                y[i, j] = x[i, j]
