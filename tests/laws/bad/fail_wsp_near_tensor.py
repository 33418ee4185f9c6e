import htp
from htp import In, Out, f32
from htp_tile import Tensor
from htp_wsp import P, Schedule, schedule, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def work(weights: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            y[i, j] = weights[i, j]


@schedule(work)
def plan(s: Schedule) -> None:
    s.cache("wieghts", at="i")

# kind: cache; a tensor's name misspelled
# expect: wsp.unknown-tensor 19
# text: `work` has no tensor `wieghts`
