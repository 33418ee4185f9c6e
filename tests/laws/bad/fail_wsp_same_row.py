import htp
from htp import In, Out, f32
from htp_tile import reduce_sum, Tensor
from htp_wsp import P, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def work(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, 1, N]]) -> None:
    for i in P(M):
        y[0, :] = reduce_sum(x[i, :], axis=0)

# kind: P; a store to one row
# expect: wsp.same-element 12
# text: iterations of loop `i` may write the same element of `y`
