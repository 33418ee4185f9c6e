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
    s.tile("j", 24)
    s.vectorize("j")

# kind: vectorize; vectorize of a width that does not divide
# expect: wsp.vector-width 24
# text: the blocks of loop `j` are of 24, which the vectors of 16 lanes do not divide
