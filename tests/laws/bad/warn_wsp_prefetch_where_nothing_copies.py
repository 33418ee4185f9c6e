import htp
from htp import In, Out, f32
from htp_tile import matmul, Tensor, zeros
from htp_wsp import P, Schedule, schedule, seq, workload

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@workload
def gemm(a: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(a[i, k], b[k, j], acc)
            c[i, j] = acc


@schedule(gemm)
def plan(s: Schedule) -> None:
    s.tile("k", 32)
    s.prefetch("b", at="k")

# kind: prefetch; a target whose cores copy themselves
# expect: wsp.no-engine 24
# text: on `cpu` nothing copies while a core computes: iterations of loop `k` run one after the other, and what the next one reads is fetched into the caches
