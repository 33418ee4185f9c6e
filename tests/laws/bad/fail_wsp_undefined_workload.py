import htp
from htp import In, Out, f32
from htp_tile import Tensor
from htp_wsp import P, Schedule, schedule, workload

N = htp.dim("N")


@workload
def work(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in P(N):
        y[i] = x[i]


@schedule(wrok)
def plan(s: Schedule) -> None:
    s.tile("i", 64)

# kind: @schedule; a name bound nowhere
# expect: pipeline.undefined-name 15
# text: `wrok` is not defined
