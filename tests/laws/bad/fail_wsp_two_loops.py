import htp
from htp import In, Out, f32
from htp_tile import Tensor
from htp_wsp import P, Schedule, schedule, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def work(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = x[i, :]
    for i in P(M):
        y[i, :] = x[i, :]


@schedule(work)
def plan(s: Schedule) -> None:
    s.tile("i", 8)

# kind: tile; a name of two loops
# expect: wsp.ambiguous-loop 20
# text: `work` has two loops over `i`
