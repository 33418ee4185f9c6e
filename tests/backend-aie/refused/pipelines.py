import htp
from htp import In, InOut, Out, bf16, bool_, f16, f32, f64, i8, i16, i32
from htp_csp import R, S, channel, channels, pipeline, process, shard
from htp_tile import Tensor, cast, copy_async, exp, full, kernel, load, matmul, maximum, minimum, reduce_max, reduce_min, reduce_sum, reshape, tiles, transpose, where, whole, zeros

M = 64
N = 128
K = htp.dim("K")

#: a loop that chooses channels too often
@pipeline
def f(x: In[Tensor[f32, 128, N]], y: Out[Tensor[f32, 128, N]]) -> None:
    rows = channels(128, f32, 1, N, capacity=2)

    @process
    def first() -> None:
        for m in range(128):
            rows[m].put(x[m, :])

    @process
    def second() -> None:
        for m in range(128):
            y[m, :] = rows[m].get()
#> 7:9 error aie.channel-loop: a loop of 128 iterations chooses channels, and 64 are the most
#>   hint: choose channels by fewer iterations, or by the grid

#: blocks of two extents that are padded
@pipeline
def f(x: In[Tensor[f32, 60, N]], y: Out[Tensor[f32, 60, N]], z: Out[Tensor[f32, 20, N]]) -> None:
    @process
    def work() -> None:
        for m in tiles(60, 8):
            y[m, :] = x[m, :]
        for m in tiles(20, 8):
            z[m, :] = x[m, :]
#> 8:23 error aie.mixed-blocks: blocks go through 60 and through 20 elements of dimension 0 of `x`, and their last ones are padded
#>   hint: choose blocks that divide both

#: blocks that do not divide a dimension
@pipeline
def f(x: In[Tensor[f32, 60, N]], y: Out[Tensor[f32, 22, N]]) -> None:
    @process
    def work() -> None:
        for m in tiles(22, 8):
            y[m, :] = x[m, :]
#> 6:23 error aie.uneven-blocks: padded blocks of 22 elements do not divide dimension 0 of `x`, 60 elements
#>   hint: choose blocks that divide the extent

#: a slice over two padded pieces
@pipeline
def f(x: In[Tensor[f32, 60, N]], y: Out[Tensor[f32, 60, N]], z: Out[Tensor[f32, 8, N]]) -> None:
    @process(grid=2, args=(shard(x, S(0), R), shard(y, S(0), R)))
    def half(g: int, x: In[Tensor[f32, 30, N]], y: Out[Tensor[f32, 30, N]]) -> None:
        for m in tiles(30, 8):
            y[m, :] = x[m, :]

    @process
    def other() -> None:
        z[:, :] = x[26:34, :]
#> 10:19 error aie.split-slice: a slice of `x` lies in several of its pieces of 30 elements, each of which is padded
#>   hint: choose blocks that divide the extent

#: a loop by twos
@pipeline
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    @process
    def work() -> None:
        for m in range(0, M, 2):
            y[m, :] = x[m, :]
            y[m + 1, :] = x[m, :]
#> 5:9 error aie.loop-range: a core has no loop over `range(0, 64, 2)`
#>   hint: count by ones, `range(32)`, and write `2 * m` for `m`

#: a checked channel
@pipeline
def f(x: In[Tensor[f32, M, 8]], y: Out[Tensor[f32, M, 8]]) -> None:
    kept = channel(f32, 1, 8, capacity=2, checked=True)

    @process
    def first() -> None:
        for m in range(M):
            kept.put(x[m, :])
        kept.close()

    @process
    def second() -> None:
        for m in range(M):
            y[m, :] = kept.get()
#> 3:43 error aie.checked-channel: how many items a checked channel carries, data decides, and an array of AI Engines has no such channels
#>   hint: compile it for the CPU, or count the items and leave `checked=True` out
