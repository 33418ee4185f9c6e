import htp
from htp import In, Out, f32
from htp_tile import Tensor
from htp_wsp import P, Schedule, schedule, workload

N = htp.dim("N")


@workload
def work(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in P(N):
        y[i] = x[i]


@schedule(work)
def plan(s: Schedule) -> None:
    s.tile("i", 64)


@schedule(work)
def other(s: Schedule) -> None:
    s.tile("i", 32)

# kind: a workload; two schedules
# options: --entry work
# expect: wsp.which-schedule 10
# text: `work` has several schedules: `plan`, `other`
