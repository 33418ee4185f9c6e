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
# expect: wsp.call-alias 19
# text: `add` is given `y` for `x` and for `y`, and writes one of them
