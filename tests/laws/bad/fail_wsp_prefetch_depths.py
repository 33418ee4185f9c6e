import htp
from htp import In, Out, f32
from htp_tile import Tensor, matmul, zeros
from htp_wsp import P, Schedule, schedule, seq, workload

M = htp.dim("M")
K = htp.dim("K")


@workload
def k(a: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, M]], y: Out[Tensor[f32, M, M]]) -> None:
    for i in P(M):
        acc = zeros(f32, i, M)
        for q in seq(K):
            acc = matmul(a[i, q], b[q, :], acc)
        y[i, :] = acc


@schedule(k)
def plan(s: Schedule) -> None:
    s.tile("i", 16)
    s.tile("q", 32)
    s.prefetch("a", at="q", depth=3)
    s.prefetch("b", at="q", depth=2)


# kind: prefetch; two depths in one loop
# expect: wsp.depths-differ 24
# text: loop `q` overlaps 3 iterations, and this wants 2
