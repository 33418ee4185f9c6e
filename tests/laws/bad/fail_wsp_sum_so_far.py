import htp
from htp import In, InOut, Out, f32, i32
from htp_tile import Tensor, reduce_sum, zeros
from htp_wsp import P, seq, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def work(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        s = zeros(f32, i, 1)
        for j in seq(N):
            s = s + reduce_sum(x[i, j], axis=1)
            y[i, j] = x[i, j] + s

# kind: store; a sum of the blocks so far
# expect: wsp.pending 16
# text: `s` is used before it holds all blocks of `j`
