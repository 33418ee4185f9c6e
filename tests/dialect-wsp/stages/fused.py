"""Loops one behind the other become one: what both name gets a name of its own."""

import htp
from htp import In, InOut, Out, f32
from htp_tile import Tensor, exp, reduce_max
from htp_wsp import P, Schedule, schedule, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        t = x[i, :]
        y[i, :] = exp(t - reduce_max(t, axis=1))
    for p in P(M):
        t = reduce_max(y[p, :], axis=1)
        for q in P(N):
            z[p, q] = y[p, q] + t


@schedule(w)
def s(s: Schedule) -> None:
    s.tile("i", 8)
    s.tile("p", 8)
    s.fuse("i", "p")
    s.parallel("i")
# ── wsp.apply ──
"""Loops one behind the other become one: what both name gets a name of its own."""

import htp
from htp import In, InOut, Out, f32
from htp_tile import Tensor, exp, reduce_max
from htp_wsp import P, Schedule, schedule, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(P(M, 8)):
        t = x[i, :]
        y[i, :] = exp(t - reduce_max(t, axis=1))
        t_1 = reduce_max(y[i, :], axis=1)
        for q in P(N):
            z[i, q] = y[i, q] + t_1


@schedule(w)
def s(s: Schedule) -> None:
    pass
# ── wsp.lower ──
"""Loops one behind the other become one: what both name gets a name of its own."""

import htp
from htp import In, InOut, Out, f32
from htp_tile import Tensor, exp, reduce_max
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")


@tile.kernel
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(tile.tiles(M, 8)):
        t = x[i, :]
        y[i, :] = exp(t - reduce_max(t, axis=1))
        t_1 = reduce_max(y[i, :], axis=1)
        for q in tile.tiles(N, 64):
            z[i, q] = y[i, q] + t_1
