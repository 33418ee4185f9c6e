import htp
from htp import In, Out, f32
from htp_tile import Tensor
from htp_wsp import P, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def twice(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = x[i, :] * 2.0


@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    twice(x[:, :], y)

# options: --entry w
# kind: nesting; a workload that is called with a tile
# expect: wsp.call-tensor 18
# text: `twice` takes a tensor for `x`, and `x[:, :]` is none
