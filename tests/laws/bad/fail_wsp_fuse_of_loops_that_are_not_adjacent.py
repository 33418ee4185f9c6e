import htp
from htp import In, InOut, Out, f32
from htp_tile import exp, Tensor, zeros
from htp_wsp import P, Schedule, schedule, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = exp(x[i, :])
    y[0, :] = zeros(f32, 1, N)
    for j in P(M):
        z[j, :] = y[j, :] + 1.0


@schedule(w)
def s(s: Schedule) -> None:
    s.fuse("i", "j")

# kind: fuse; fuse of loops that are not adjacent
# expect: wsp.not-adjacent 21
# text: loops `i` and `j` do not stand one behind the other
