import htp
from htp import In, InOut, Out, f32, i32
from htp_tile import Tensor, reduce_max
from htp_wsp import P, seq, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def work(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in seq(N):
            y[i, j] = x[i, j] - reduce_max(x[i, j], axis=1)

# kind: seq; the largest of each block
# expect: wsp.partial 14
# text: the `reduce_max` of one block of `j` is used before the other blocks are combined with it
