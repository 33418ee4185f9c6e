import htp
from htp import In, Out, f32
from htp_tile import Tensor, matmul, reduce_sum, transpose
from htp_wsp import P, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def work(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        total = matmul(transpose(x[i, :]), x[i, :])
        y[i, :] = x[i, :] * reduce_sum(reduce_sum(total, axis=0), axis=1)

# kind: a P loop; a product over its own blocks
# expect: wsp.own-block 13
# text: `matmul` runs along the blocks of `i`, which have any size
