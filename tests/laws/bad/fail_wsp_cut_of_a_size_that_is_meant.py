import htp
from htp import In, InOut, Out, f32, i32
from htp_tile import Tensor, reduce_max
from htp_wsp import P, Schedule, schedule, seq, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def work(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in seq(N, 64):
            y[i, j] = x[i, j] - reduce_max(x[i, j], axis=1)


@schedule(work)
def plan(s: Schedule) -> None:
    s.split("j", 16)

# kind: split; a loop whose size the workload means
# expect: wsp.size-meant 19
# text: this changes the blocks of loop `j`, and what is computed depends on their size
