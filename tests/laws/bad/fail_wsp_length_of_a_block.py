import htp
from htp import In, InOut, Out, f32, i32
from htp_tile import Tensor, cast, full
from htp_wsp import P, seq, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def work(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in seq(N):
            y[i, j] = x[i, j] + cast(full(i32, len(j), 1, 1), f32)

# kind: len; a block as a value
# expect: wsp.size-matters 14
# text: what is stored to `y` depends on how large the blocks of `j` are
