import htp
from htp import In, Out, f32
from htp_tile import Tensor
from htp_wsp import P, Schedule, schedule, workload

M = htp.dim("M")
N = htp.dim("N")


def twice(x):
    return x


@workload
def work(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in twice(P(M)):
        y[i, :] = x[i, :]


@schedule(work)
def blocked(s: Schedule) -> None:
    s.tile("i", 64)

# expect: wsp.unknown-loop 22
