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
    s.tile("j", 16, 8)
    s.parallel("j_0")

# kind: parallel; the outer part of an ordered loop
# expect: wsp.ordered-loop 20
# text: loop `j_0` is ordered, and `parallel` needs iterations that are independent
