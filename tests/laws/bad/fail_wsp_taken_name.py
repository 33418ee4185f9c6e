import htp
from htp import In, Out, f32
from htp_tile import Tensor
from htp_wsp import P, Schedule, schedule, seq, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def work(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i_0 in P(M):
        for i in seq(i_0):
            y[i, :] = x[i, :]


@schedule(work)
def plan(s: Schedule) -> None:
    s.tile("i", 8, 4)

# kind: tile; a name that the workload has
# expect: wsp.taken-name 19
# text: this makes a loop `i_0`, and `work` has that name already
