import htp
from htp import In, Out, f32
from htp_tile import Tensor
from htp_wsp import P, Schedule, schedule, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            y[i, j] = x[i, j]


@schedule(w)
def s(s: Schedule) -> None:
    s.vectorize("j", 16)

# kind: vectorize; vectorize with a value
# expect: wsp.bad-arguments 19
# text: `vectorize` takes `(loop)`, not these arguments
