import htp
from htp import In, InOut, f32
from htp_tile import Tensor
from htp_wsp import P, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def work(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for k in range(len(i)):
            y[k, :] = x[k, :]

# expect: wsp.same-place 12
