import htp
from htp import In, Out, f32
from htp_tile import buffer, exp, Tensor
from htp_wsp import P, Schedule, schedule, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def w(x: In[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    y = buffer(f32, M, N)
    for i in P(M):
        y[i, :] = exp(x[i, :])
    for j in P(M):
        z[j, :] = y[j, :] + 1.0


@schedule(w)
def s(s: Schedule) -> None:
    s.buffer("y", space="stack")

# kind: buffer; buffer of a size that is not known
# expect: wsp.unknown-footprint 21
# text: `y` takes M x N x 4 bytes, which is not known to fit into `stack` of 65536 bytes
