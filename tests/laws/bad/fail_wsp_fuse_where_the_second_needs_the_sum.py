import htp
from htp import In, Out, f32
from htp_tile import reduce_sum, Tensor, zeros
from htp_wsp import Schedule, schedule, seq, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    total = zeros(f32, 1, N)
    for i in seq(M):
        total = total + reduce_sum(x[i, :], axis=0)
    for j in seq(M):
        y[j, :] = x[j, :] / total


@schedule(w)
def s(s: Schedule) -> None:
    s.fuse("i", "j")

# kind: fuse; fuse where the second needs the sum
# expect: wsp.not-fused 21
# text: loops `i` and `j` cannot become one: they depend on each other by `total`
