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
    s.bind("i", level=2)

# kind: bind; an int for the level
# expect: wsp.not-a-string 19
# text: `level` of `bind` is a string, not `2`
