import htp
from htp import In, Out, f32
from htp_tile import Tensor
from htp_wsp import P, Schedule, schedule, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def work(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for n in range(N // 4):
            y[i, n] = x[i, n]


@schedule(work)
def plan(s: Schedule) -> None:
    s.tile("i", 16, 4)

# kind: a workload, scheduled; rows that no loop stores
# expect: tile.unwritten-output 11
# text: `y` is an output, and is not written at [0, 0] when M = 1 and N = 1
