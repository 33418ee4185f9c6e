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

# kind: a workload; two schedules and neither chosen
# options: --entry work
# expect: wsp.unscheduled 10
# text: `work` is compiled without a schedule: it has several, `plan`, `other`
