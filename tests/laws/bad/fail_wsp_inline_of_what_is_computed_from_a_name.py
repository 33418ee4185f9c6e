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
    one = zeros(f32, 1, 1) + 1.0
    for p in P(M):
        for q in P(K):
            t = exp(x[p, q])
            h[p, q] = t + one
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(h[i, k], b[k, j], acc)
            c[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.inline("h")

# kind: inline; inline of what is computed from a name
# expect: wsp.inline-outer-value 29
# text: `h` is not inlined: it is computed from `one`, which is bound outside of its loops
