"""Columns in blocks, of rows that a schedule keeps nearby: on AI Engines they come by streams as often as they are read."""

from htp import In, Out, f32
from htp_tile import Tensor
from htp_wsp import P, Schedule, schedule, workload

M = 37
N = 96


@workload
def kept(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            y[i, j] = x[i, j] * 2.0


@schedule(kept)
def nearby(s: Schedule) -> None:
    s.tile("i", 32, 4)
    s.tile("j", 32)
    s.cache("x", at="i")
    s.bind("i_0", level="core")
