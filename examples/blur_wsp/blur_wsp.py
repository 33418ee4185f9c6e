"""An image smoothed along its columns and sharpened along its rows: a producer that its consumer reads around each block, and a schedule that
computes it there, with its halo."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, buffer
from htp_wsp import P, Schedule, schedule, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def blur(x: In[Tensor[f32, M + 2, N + 2]], y: Out[Tensor[f32, M, N]]) -> None:
    smooth = buffer(f32, M, N + 2)
    for p in P(M):
        for q in P(N + 2):
            smooth[p, q] = (x[p, q] + x[p + 1, q] * 2.0 + x[p + 2, q]) * 0.25
    for j in P(N):
        for i in P(M):
            y[i, j] = smooth[i, j + 1] * 3.0 - smooth[i, j] - smooth[i, j + 2]


@schedule(blur)
def inlined(s: Schedule) -> None:
    """Nothing is kept: each smoothed element is computed where it is read, three times."""
    s.tile("i", 16)
    s.tile("j", 64)
    s.inline("smooth")
    s.bind("j", level="core")


@schedule(blur)
def strips(s: Schedule) -> None:
    """Strips of columns on cores: each smooths its own and the two beside them, in a buffer of its own."""
    s.tile("q", 64)
    s.tile("p", 16)
    s.tile("i", 16)
    s.tile("j", 64)
    s.reorder("q", "p")
    s.compute_at("q", at="j")
    s.bind("j", level="core")
