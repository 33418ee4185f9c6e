import htp
from htp import In, Out, f32
from htp_tile import Tensor
from htp_wsp import P, Schedule, schedule, workload

M = htp.dim("M")


@workload
def bad(x: In[Tensor[f32, M]], y: Out[Tensor[f32, M]]) -> None:
    for i in P(M):
        y[i] = x[i]


@schedule(bed)
def blocked(s: Schedule) -> None:
    s.tile("i", 64)


# expect: pipeline.undefined-name 15
