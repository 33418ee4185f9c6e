import htp
from htp import In, Out, f32
from htp_tile import Tensor
from htp_wsp import P, Schedule, schedule, seq, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def work(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in seq(N):
            y[i, j] = x[i, j]


@schedule(work)
def plan(s: Schedule) -> None:
    s.parallel("i")
    s.bind("i", level="core")

# kind: bind; a loop that is parallel already
# expect: wsp.bound-twice 20
# text: how loop `i` runs is given twice: `bind`
