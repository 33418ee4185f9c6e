import htp
from htp import In, Out, f32
from htp_tile import Tensor
from htp_wsp import Schedule, schedule, seq, workload

M = htp.dim("M")


@workload
def w(x: In[Tensor[f32, M, M]], y: Out[Tensor[f32, M, M]]) -> None:
    last = x[0, 0]
    for i in seq(M):
        for j in seq(M):
            last = last * 0.5 + x[i, j]
            y[i, j] = last


@schedule(w)
def s(s: Schedule) -> None:
    s.reorder("j", "i")

# kind: reorder; reorder of loops that carry a name
# expect: wsp.not-reordered 20
# text: loops `i` and `j` cannot be interchanged: their iterations depend on each other by `last`
