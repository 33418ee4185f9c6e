import htp
from htp import In, Out, f32
from htp_tile import matmul, Tensor, zeros
from htp_wsp import P, Schedule, schedule, seq, workload

K = htp.dim("K")
M = htp.dim("M")
N = htp.dim("N")


@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.reorder("i")

# kind: reorder; reorder of one loop
# expect: wsp.bad-arguments 23
# text: `reorder` takes `(loop, loop, ...)`, not these arguments
