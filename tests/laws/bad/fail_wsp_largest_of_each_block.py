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
# expect: wsp.size-matters 14
# text: what `y` gets depends on how large the blocks of `j` are
