import htp
from htp import In, InOut, Out, f32, i32
from htp_tile import Tensor, argmax, full, maximum
from htp_wsp import P, seq, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def work(x: In[Tensor[f32, M, N]], y: Out[Tensor[i32, M, 1]]) -> None:
    for i in P(M):
        best = full(i32, 0, i, 1)
        for j in seq(N):
            best = maximum(best, argmax(x[i, j], axis=1))
        y[i, :] = best

# kind: argmax; counted within a block
# expect: wsp.size-carried 15
# text: the value of `best` behind a block depends on how large the blocks of `j` are
