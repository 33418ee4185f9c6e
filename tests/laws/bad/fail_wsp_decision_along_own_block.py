import htp
from htp import In, Out, f32
from htp_tile import Tensor, holds, reduce_any, reduce_max
from htp_wsp import P, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def work(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        e = x[i, :]
        n = 0
        while n < 9 and holds(reduce_any(reduce_max(e, axis=1) > 1.0, axis=0)):
            e = e * 0.5
            n += 1
        y[i, :] = e

# kind: a P loop; a decision about its own blocks
# expect: wsp.own-block 15
# text: `reduce_any` runs along the blocks of `i`, which have any size
