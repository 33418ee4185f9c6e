import htp
from htp import In, InOut, f32
from htp_tile import Tensor
from htp_wsp import P, Schedule, schedule, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: InOut[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        z[i, :] = y[0, :]
    for j in P(M):
        y[j, :] = x[j, :]


@schedule(w)
def s(s: Schedule) -> None:
    s.fuse("i", "j")

# kind: fuse; fuse where the second writes what the first reads
# expect: wsp.not-fused 20
# text: loops `i` and `j` cannot become one: they depend on each other by `y`
