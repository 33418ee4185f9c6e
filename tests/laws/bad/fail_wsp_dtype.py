import htp
from htp import In, Out, f16, f32
from htp_tile import Tensor
from htp_wsp import P, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def work(x: In[Tensor[f32, M, N]], h: In[Tensor[f16, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = x[i, :] + h[i, :]

# kind: a workload; f32 with f16
# expect: tile.dtype-mismatch 13
# text: `tile.add` expects f32, got f16
