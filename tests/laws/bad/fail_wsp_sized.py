import htp
from htp import In, Out, f32
from htp_tile import Tensor
from htp_wsp import P, Schedule, schedule, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def work(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M, 8):
        y[i, :] = x[i, :]


@schedule(work)
def plan(s: Schedule) -> None:
    s.tile("i", 4)

# kind: tile; a loop with a size
# expect: wsp.sized-loop 18
# text: loop `i` has its size already
