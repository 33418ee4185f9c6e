import htp
from htp import In, InOut, Out, f32, i32
from htp_tile import Tensor
from htp_wsp import P, seq, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def work(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in seq(N):
            y[i, j] = y[i, j] + y[i, 0]

# kind: load; a column that an earlier block stored
# expect: wsp.size-matters 14
# text: what is stored to `y` depends on how large the blocks of `j` are
