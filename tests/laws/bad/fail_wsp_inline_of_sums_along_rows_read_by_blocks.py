import htp
from htp import In, Out, f32
from htp_tile import buffer, matmul, reduce_sum, Tensor, zeros
from htp_wsp import P, Schedule, schedule, seq, workload

K = htp.dim("K")
M = htp.dim("M")
N = htp.dim("N")


@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, K)
    for p in P(M):
        h[p, :] = x[p, :] / reduce_sum(x[p, :], axis=1)
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(h[i, k], b[k, j], acc)
            c[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.inline("h")

# kind: inline; sums along rows, read by blocks
# expect: wsp.inline-other-blocks 26
# text: `h` is not inlined: it is computed at `:` along dimension 1, and read at `k`
