import htp
from htp import In, InOut, f32
from htp_tile import Tensor
from htp_wsp import P, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def work(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for n in range(len(i)):
            y[n, :] = x[n, :]

# kind: P; a store to ints up to the block's length
# expect: wsp.same-element 12
# text: iterations of loop `i` may write the same element of `y`
