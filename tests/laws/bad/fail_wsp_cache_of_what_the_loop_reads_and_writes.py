import htp
from htp import In, InOut, Out, f32
from htp_tile import exp, Tensor
from htp_wsp import P, Schedule, schedule, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = exp(x[i, :])
    for j in P(M):
        z[j, :] = y[j, :] + 1.0


@schedule(w)
def s(s: Schedule) -> None:
    s.fuse("i", "j")
    s.cache("y", at="i")

# kind: cache; cache of what the loop reads and writes
# expect: wsp.copied-written 21
# text: `y` cannot be read from a copy in loop `i`: the loop writes it
