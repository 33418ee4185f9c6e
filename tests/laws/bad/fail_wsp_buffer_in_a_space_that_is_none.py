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
    s.buffer("y", space="l1")

# kind: buffer; buffer in a space that is none
# expect: wsp.unknown-space 21
# text: the target `cpu` has no memory space `l1`
