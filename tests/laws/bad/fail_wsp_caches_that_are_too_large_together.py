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
    s.tile("i", 64)
    s.tile("j", 224)
    s.tile("k", 64)
    s.cache("x", at="k", space="stack")
    s.cache("b", at="k", space="stack")

# kind: cache; caches that are too large together
# expect: wsp.over-capacity 27
# text: `b_local` takes 64 x 224 x 4 bytes = 57344 bytes, and `stack` holds 65536
