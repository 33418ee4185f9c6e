import htp
from htp import In, Out, f32
from htp_tile import reduce_sum, Tensor
from htp_wsp import P, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def work(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, 0] = reduce_sum(x[i, :], axis=1)

# kind: a workload; rows that no loop stores
# expect: tile.unwritten-output 11
# text: `y` is an output, and is not written at [0, 1] when M = 1 and N = 2
