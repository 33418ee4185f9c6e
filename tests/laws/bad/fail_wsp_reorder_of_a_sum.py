import htp
from htp import In, InOut, f32
from htp_tile import Tensor
from htp_wsp import Schedule, schedule, seq, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    for i in seq(M):
        for j in seq(N):
            y[0, 0] = y[0, 0] + x[i, j]


@schedule(w)
def s(s: Schedule) -> None:
    s.reorder("j", "i")

# kind: reorder; reorder of a sum
# expect: wsp.not-reordered 19
# text: loops `i` and `j` cannot be interchanged: their iterations depend on each other by `y`
