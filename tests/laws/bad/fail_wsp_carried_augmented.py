import htp
from htp import In, Out, f32
from htp_tile import reduce_sum, Tensor, zeros
from htp_wsp import P, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def work(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, 1, N]]) -> None:
    acc = zeros(f32, 1, N)
    for i in P(M):
        acc += reduce_sum(x[i, :], axis=0)
    y[0, :] = acc

# kind: P; a tile carried by +=
# expect: wsp.carried 13
# text: iterations of loop `i` depend on each other: `acc` is carried from one to the next
