import htp
from htp import In, Out, f32
from htp_tile import Tensor
from htp_wsp import P, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def work(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = x[i, :]
        break

# kind: a workload; break
# expect: tile.parallel-exit 12
# text: the parallel loop over `i` is left by `break`
