import htp
from htp import In, InOut, Out, f32
from htp_tile import exp, Tensor
from htp_wsp import P, Schedule, schedule, workload

M = htp.dim("M")


@workload
def w(x: In[Tensor[f32, M, M]], y: InOut[Tensor[f32, M, M]], z: Out[Tensor[f32, M, M]]) -> None:
    for i in P(M):
        y[i, :] = exp(x[i, :])
    for j in P(M):
        z[:, j] = y[:, j] + 1.0


@schedule(w)
def s(s: Schedule) -> None:
    s.fuse("i", "j")

# kind: fuse; fuse where the second reads across
# expect: wsp.not-fused 19
# text: loops `i` and `j` cannot become one: they depend on each other by `y`
