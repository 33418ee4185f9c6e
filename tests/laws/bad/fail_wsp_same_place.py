import htp
from htp import In, Out, f32
from htp_tile import Tensor
from htp_wsp import P, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def work(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            y[:, j] = x[:, j]

# kind: P; a store to every row
# expect: wsp.same-element 12
# text: iterations of loop `i` may write the same element of `y`
