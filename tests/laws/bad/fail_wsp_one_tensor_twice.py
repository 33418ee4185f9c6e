import htp
from htp import In, InOut, f32
from htp_tile import Tensor
from htp_wsp import P, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def add(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = y[i, :] + x[i, :]


@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    add(x, y)
    add(y, y)

# options: --entry w
# kind: nesting; one tensor twice
# expect: wsp.call-argument 19
# text: `add` takes a tensor that no other parameter has for `y`, and is given `y`, as `x`
