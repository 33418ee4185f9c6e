import htp
from htp import In, Out, f32
from htp_tile import reduce_sum, Tensor, zeros
from htp_wsp import P, seq, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def work(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, 1]]) -> None:
    for i in seq(M):
        acc = zeros(f32, i, 1)
        for j in P(N):
            acc = acc + reduce_sum(x[i, j], axis=1)
        y[i, 0] = acc

# kind: P; a tile carried over
# expect: wsp.carried 14
# text: iterations of loop `j` depend on each other: `acc` is carried from one to the next
