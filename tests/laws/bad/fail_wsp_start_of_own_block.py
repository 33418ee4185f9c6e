import htp
from htp import In, Out, f32
from htp_tile import Tensor
from htp_wsp import P, workload

M = htp.dim("M")


@workload
def k(x: In[Tensor[f32, M]], y: Out[Tensor[f32, M]]) -> None:
    for i in P(M):
        y[i] = x[i] * i.start

# kind: P; the start of its own block
# expect: wsp.size-matters 12
# text: what is stored to `y` depends on how large the blocks of `i` are
