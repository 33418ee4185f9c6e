import htp
from htp import In, Out, f32
from htp_tile import Tensor, reduce_sum
from htp_wsp import P, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def work(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        row = x[i, :] * 2.0
        y[i, :] = row / reduce_sum(row, axis=0)

# kind: a P loop; a sum along its own blocks
# expect: wsp.own-block 14
# text: `reduce_sum` runs along the blocks of `i`, which have any size
