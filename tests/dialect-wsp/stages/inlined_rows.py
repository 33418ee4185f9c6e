"""What is computed by whole rows, element by element, is computed by blocks where blocks are read."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, buffer, exp, maximum
from htp_wsp import P, Schedule, schedule, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def w(x: In[Tensor[f32, M, N]], bias: In[Tensor[f32, 1, N]], scale: In[Tensor[f32, M, 1]], y: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, N)
    for i in P(M):
        t = exp(x[i, :]) + bias[:, :]
        h[i, :] = maximum(t * scale[i, :], 0.0)
    for p in P(M):
        for q in P(N):
            y[p, q] = h[p, q] - 1.0


@schedule(w)
def s(s: Schedule) -> None:
    s.inline("h")
# ── wsp.apply ──
"""What is computed by whole rows, element by element, is computed by blocks where blocks are read."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, buffer, exp, maximum
from htp_wsp import P, Schedule, schedule, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def w(x: In[Tensor[f32, M, N]], bias: In[Tensor[f32, 1, N]], scale: In[Tensor[f32, M, 1]], y: Out[Tensor[f32, M, N]]) -> None:
    for p in P(M):
        for q in P(N):
            t_1 = exp(x[p, q]) + bias[:, q]
            y[p, q] = maximum(t_1 * scale[p, :], 0.0) - 1.0


@schedule(w)
def s(s: Schedule) -> None:
    pass
# ── wsp.lower ──
"""What is computed by whole rows, element by element, is computed by blocks where blocks are read."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, buffer, exp, maximum
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")


@tile.kernel
def w(x: In[Tensor[f32, M, N]], bias: In[Tensor[f32, 1, N]], scale: In[Tensor[f32, M, 1]], y: Out[Tensor[f32, M, N]]) -> None:
    for p in tile.tiles(M, 64):
        for q in tile.tiles(N, 64):
            t_1 = exp(x[p, q]) + bias[:, q]
            y[p, q] = maximum(t_1 * scale[p, :], 0.0) - 1.0
