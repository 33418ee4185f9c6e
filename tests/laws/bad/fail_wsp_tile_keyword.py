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
    s.tile("i", size=8)

# kind: tile; a keyword size
# expect: wsp.bad-arguments 19
# text: `tile` takes `(loop, size, ...)`, not these arguments
