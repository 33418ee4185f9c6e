import htp
from htp import In, InOut, Out, bf16, bool_, f16, f32, f64, i8, i16, i32
from htp_csp import R, S, channel, channels, pipeline, process, shard
from htp_tile import Tensor, cast, copy_async, exp, full, kernel, load, matmul, maximum, minimum, reduce_max, reduce_min, reduce_sum, reshape, tiles, transpose, where, whole, zeros

M = 64
N = 128


@pipeline
def halves(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    @process(grid=2, args=(shard(x, S(0), R), shard(y, S(0), R)))
    def half(g: int, x: In[Tensor[f32, 32, N]], y: Out[Tensor[f32, 32, N]]) -> None:
        for m in range(32):
            y[m, :] = x[m, :] * 2.0

#: two cores that write one element
#! old: 'half_1', 2, start=4096
#! new: 'half_1', 2, start=3968
#> 16:9 error aie.written-twice: `y_out` and `y_out_1` both write element 3968 of `y`
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give each its own elements: another `start`, or an order that ends before the other one's
