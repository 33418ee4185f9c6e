"""Elements of blocks of any size, by their numbers: under a schedule and without one each has its own."""

#: M=0 N=17; M=1 N=1; M=5 N=17; M=37 N=40

import htp
from htp import In, Out, i32
from htp_tile import Tensor, full, iota, maximum, reduce_max, reduce_sum, where, zeros
from htp_wsp import P, Schedule, schedule, seq, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def numbered(x: In[Tensor[i32, M, N]], y: Out[Tensor[i32, M, N]], z: Out[Tensor[i32, M, 1]], last: Out[Tensor[i32, 1, N]]) -> None:
    for i in P(M):
        for j in P(N):
            y[i, j] = where(iota(i32, i, 1, axis=0) >= iota(i32, 1, j, axis=1), x[i, j], -1)
    for q in P(M):
        total = zeros(i32, q, 1)
        for r in seq(N):
            total = total + reduce_sum(x[q, r] * iota(i32, 1, r, axis=1), axis=1)
        z[q, :] = total
    for u in P(N):
        found = full(i32, -1, 1, u)
        for v in seq(M):
            found = maximum(found, reduce_max(where(x[v, u] > 50, iota(i32, v, 1, axis=0), -1), axis=0))
        last[:, u] = found


@schedule(numbered)
def cut(s: Schedule) -> None:
    s.tile("i", 12, 4)
    s.unroll("i")
    s.tile("j", 8)
    s.tile("r", 5)
    s.unroll("r", factor=2)
    s.tile("q", 3)
    s.parallel("q")
    s.tile("v", 7)
    s.pipeline("v", depth=2)
