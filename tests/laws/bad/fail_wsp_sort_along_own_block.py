import htp
from htp import In, Out, f32
from htp_tile import Tensor, sort
from htp_wsp import P, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def work(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            y[i, j] = sort(x[i, j], axis=1)

# kind: a P loop; an order along its own blocks
# expect: wsp.own-block 14
# text: `sort` runs along the blocks of `j`, which have any size
