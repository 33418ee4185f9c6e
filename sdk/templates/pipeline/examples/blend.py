"""Two images, blended: what is computed, and apart from it how the work is cut and where it runs."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor
from htp_wsp import P, Schedule, schedule, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def blend(a: In[Tensor[f32, M, N]], b: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            y[i, j] = 0.25 * a[i, j] + 0.75 * b[i, j]


@schedule(blend)
def by_rows(s: Schedule) -> None:
    s.tile("i", 16)
    s.tile("j", 64)
    s.bind("i", level="core")
