import htp
from htp import In, Out, f32
from htp_tile import Tensor
from htp_wsp import P, Schedule, schedule, workload

M = htp.dim("M")


@workload
def w(x: In[Tensor[f32, M]], y: Out[Tensor[f32, M]]) -> None:
    for i in P(M):
        y[i] = x[i]


@schedule(w)
def s(s: Schedule) -> None:
    s.pack("x", at="i")

# kind: pack; pack of a vector
# expect: wsp.nothing-to-turn 17
# text: `x` cannot be packed
