import htp
from htp import In, InOut, Out, bf16, bool_, f16, f32, f64, i8, i16, i32
from htp_csp import R, S, channel, channels, pipeline, process, shard
from htp_tile import Tensor, cast, copy_async, exp, full, kernel, load, matmul, maximum, minimum, reduce_max, reduce_min, reduce_sum, reshape, tiles, transpose, where, whole, zeros

M = 64
N = 128
FAST = 1


@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        if FAST:
            y[i, :] = x[i, :]
        else:
            y[i, :] = x[i, :] + 1.0

#: a branch that a constant decides
#! stage: tile.infer
#! old: holds=['
#! new: holds=['Aie.Folded', '
#> 14:1 error aie.branch-left: `f` has an `if` that a constant decides
#>   note: this stage says `Aie.Folded` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: replace the `if` by the statements that run
