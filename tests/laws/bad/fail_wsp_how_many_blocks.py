import htp
from htp import In, InOut, Out, f32, i32
from htp_tile import Tensor, reduce_sum, zeros
from htp_wsp import P, seq, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def work(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, 1]]) -> None:
    for i in P(M):
        s = zeros(f32, i, 1)
        for j in seq(N):
            s = s * 0.5 + reduce_sum(x[i, j], axis=1)
        y[i, :] = s

# kind: a carried name; halved with each block
# expect: wsp.pending 15
# text: `s` is used before it holds all blocks of `j`
