import htp
from htp import In, Out, f32
from htp_tile import buffer, exp, matmul, Tensor, zeros
from htp_wsp import P, Schedule, schedule, seq, workload

K = htp.dim("K")
M = htp.dim("M")
N = htp.dim("N")


@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, K)
    for p in P(M):
        for q in P(K):
            t = exp(x[p, q])
            h[p, q] = t * 2.0
    h[0, :] = x[0, :]
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(h[i, k], b[k, j], acc)
            c[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.inline("h")

# kind: inline; inline of what is stored twice
# expect: wsp.inline-two-stores 29
# text: `h` is not inlined: several statements store to it
