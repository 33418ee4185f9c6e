import htp
from htp import In, Out, f32
from htp_tile import Tensor
from htp_wsp import P, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def work(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i, j in P(M):
        y[i, :] = x[i, :]

# kind: P; two names
# expect: wsp.bad-loop 12
# text: a workload's loop is `for name in P(extent)` or `seq(extent)`, not `for i, j in P(M)`
