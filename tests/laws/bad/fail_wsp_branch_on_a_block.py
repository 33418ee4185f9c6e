import htp
from htp import In, InOut, Out, f32, i32
from htp_tile import Tensor
from htp_wsp import P, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def work(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            if len(j) > 4:
                y[i, j] = x[i, j]
            else:
                y[i, j] = x[i, j] * 2.0

# kind: if; on the length of a block
# expect: wsp.size-branch 14
# text: this condition depends on how large the blocks of `j` are
