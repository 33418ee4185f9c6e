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
    s.cache("x", at="j")

# kind: cache; cache of what the loop does not read
# expect: wsp.not-read 21
# text: loop `j` does not read `x`
