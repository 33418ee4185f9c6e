import htp
from htp import In, Out, f32
from htp_tile import Tensor, exp, full, maximum, reduce_max, reduce_sum, zeros
from htp_wsp import P, Schedule, schedule, seq, workload

M = 37
N = 96
LOWEST = -3.0e38


@workload
def softmax(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        top = full(f32, LOWEST, i, 1)
        total = zeros(f32, i, 1)
        for j in seq(N):
            block = x[i, j]
            higher = maximum(top, reduce_max(block, axis=1))
            total = total * exp(top - higher) + reduce_sum(exp(block - higher), axis=1)
            top = higher
        for k in P(N):
            y[i, k] = exp(x[i, k] - top) / total


@schedule(softmax)
def blocked(s: Schedule) -> None:
    s.tile("i", 32, 4)
    s.tile("j", 32)
    s.tile("k", 64)
    s.cache("x", at="i")
    s.bind("i_0", level="core")

#: a cache
#! stage: tile.infer
#! old: holds=['
#! new: holds=['Aie.Uncached', '
#> 16:13 error aie.cache-left: `x_local` keeps blocks of `x`, which come by streams
#>   note: this stage says `Aie.Uncached` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: load it from `x`
