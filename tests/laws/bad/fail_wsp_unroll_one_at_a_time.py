import htp
from htp import In, Out, f32
from htp_tile import Tensor
from htp_wsp import P, Schedule, schedule, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def scale(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            y[i, j] = x[i, j] * 2.0


@schedule(scale)
def plan(s: Schedule) -> None:
    s.unroll("j", factor=1)

# kind: unroll; a factor of 1
# expect: wsp.bad-number 19
# text: `factor` is a compile-time int of at least 2, not `1`
