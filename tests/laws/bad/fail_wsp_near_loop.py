import htp
from htp import In, Out, f32
from htp_tile import Tensor
from htp_wsp import P, Schedule, schedule, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def work(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for row in P(M):
        for column in P(N):
            y[row, column] = x[row, column]


@schedule(work)
def plan(s: Schedule) -> None:
    s.tile("colunm", 8)

# kind: tile; a loop's name misspelled
# expect: wsp.unknown-loop 19
# text: `work` has no loop `colunm`
