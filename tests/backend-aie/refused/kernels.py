import htp
from htp import In, InOut, Out, bf16, bool_, f16, f32, f64, i8, i16, i32
from htp_csp import R, S, channel, channels, pipeline, process, shard
from htp_tile import Tensor, cast, copy_async, exp, full, kernel, load, matmul, maximum, minimum, reduce_max, reduce_min, reduce_sum, reshape, tiles, transpose, where, whole, zeros

M = 64
N = 128
K = htp.dim("K")

#: how a core's loops run
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.vectorized(tiles(M, 16)):
        for j in htp.unrolled(tiles(N, 16)):
            y[i, j] = x[i, j] * 2.0
#> 3:14 error aie.loop-form: the loop over `i` is vectorized
#>   hint: leave `vectorize` and `unroll` out
#> 4:18 error aie.loop-form: the loop over `j` is unrolled
#>   hint: leave `vectorize` and `unroll` out

#: how they run is left to the core's compiler
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 16):
        for j in tiles(N, 16):
            y[i, j] = x[i, j] * 2.0
#> compiles

#: a deep loop around loops
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.pipelined(tiles(M, 16), depth=4):
        for j in tiles(N, 16):
            y[i, j] = x[i, j] * 2.0
#> 3:14 error aie.pipelined-loop: the loop over `i` has a depth of 4, and other loops in it
#>   hint: pipeline the innermost loop

#: a deep innermost loop
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 16):
        for j in htp.pipelined(tiles(N, 16), depth=4):
            y[i, j] = x[i, j] * 2.0
#> compiles

#: a deep loop of a process
@pipeline
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, 16, N, capacity=2)

    @process
    def read() -> None:
        for p in htp.pipelined(range(4), depth=4):
            rows.put(x[p * 16:p * 16 + 16, :])

    @process
    def write() -> None:
        for p in range(4):
            y[p * 16:p * 16 + 16, :] = rows.get() * 2.0
#> 7:18 error aie.process-depth: the loop over `p`, of a process, has a depth of 4
#>   hint: leave `htp.pipelined` out, and give the process's channels more capacity

#: channels of more capacity
@pipeline
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, 16, N, capacity=4)

    @process
    def read() -> None:
        for p in range(4):
            rows.put(x[p * 16:p * 16 + 16, :])

    @process
    def write() -> None:
        for p in range(4):
            y[p * 16:p * 16 + 16, :] = rows.get() * 2.0
#> compiles

#: a transpose of what it is bound to
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 16):
        a = full(f32, 1.0, 16, 16)
        for k in range(2):
            a = transpose(a)
        y[i, :] = x[i, :] + reduce_sum(reduce_sum(a, axis=1), axis=0)
#> compiles

#: a gather
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]], places: In[Tensor[i32, M]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[places[i], :]
#> 4:19 error aie.tile-index: the index `places_tile` is a tile
#>   hint: gather before the kernel, or by a function in C++: `@external`
#> 4:21 note tile.not-affine: index `places[i]` was not shown to be inside dimension 0: it is not affine in the sizes and loops
#>   hint: it is checked when the program runs

#: a cast to bf16 that rounds to zero
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[bf16, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = cast(x[i, :], bf16, rounding='toward_zero')
#> 4:19 error aie.rounding: a cast to bf16 rounds to the nearest, not by `toward_zero`
#>   hint: leave `rounding` out

#: a shift by more bits than there are
@kernel
def f(x: In[Tensor[i32, M, N]], y: Out[Tensor[i32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :] << 40
#> 4:19 error aie.shift-count: `tile.shl(x_tile, 40)` shifts elements of i32, by other than a constant from 0 to 31
#>   hint: write a number that is less than the dtype has bits

#: a transpose of the first axes
@kernel
def f(x: In[Tensor[f32, 4, M, 8]], y: Out[Tensor[f32, M, 4, 8]]) -> None:
    for i in tiles(M, 8):
        y[i, :, :] = transpose(x[:, i, :], axes=(1, 0, 2))
#> 4:22 error aie.transpose-axes: `tile.transpose(x_tile, (1, 0, 2))` does not swap the last two axes alone
#>   hint: swap the last two: `transpose(x)`; or hand the tensor over in the other order

#: a product of matrices and one matrix
@kernel
def f(a: In[Tensor[f32, 3, M, N]], b: In[Tensor[f32, N, 32]], c: Out[Tensor[f32, 3, M, 32]]) -> None:
    for h in tiles(3, 1):
        for i in tiles(M, 8):
            acc = zeros(f32, h, i, 32)
            acc = matmul(a[h, i, :], reshape(b[:, :], 1, N, 32), acc)
            c[h, i, :] = acc
#> 6:19 error aie.product-batch: the dimensions before the last two differ in the product `tile.matmul(a_tile, reshape, acc)`
#>   hint: multiply matrices one by one: `for h in range(B)`, and `matmul(reshape(a[h, i, k], i, k), b[k, j], acc)`

#: a power
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :] ** 2.5
#> 4:19 error aie.power: the exponent of `tile.pow(x_tile, 2.5)` is not 2, 3 or -0.5
#>   hint: where the base is above 0: `exp(log(x) * y)`

#: a square
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :] ** 2.0
#> compiles

#: a reshape of two elements
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, 64]]) -> None:
    for i in range(M):
        y[i, :] = reduce_max(reshape(x[i, :], 1, 64, 2), axis=2)
#> 4:30 error aie.reshape: a reshape of Tile[f32, 1, 128] to Tile[f32, 1, 64, 2] changes dimensions other than 1
#>   hint: elements that alternate are loaded by steps: `maximum(x[i, ::2], x[i, 1::2])`

#: a scalar of ints
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]], count: int) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :] * 2.0
#> 2:60 error aie.scalar-dtype: `count` is a scalar of int
#>   hint: declare it `count: i32`

#: a tensor of f16 that is copied
@kernel
def f(x: In[Tensor[f16, M, N]], y: Out[Tensor[f16, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :]
#> 2:7 error aie.tensor-dtype: `x` is a tensor of f16
#>   hint: declare it f32, `Tensor[f32, …]`, or i32 for integers

#: a tensor that is too long
@kernel
def f(x: In[Tensor[f32, 8, 3000000000]], y: Out[Tensor[f32, 8, 3000000000]]) -> None:
    for i in range(8):
        for j in tiles(3000000000, 64):
            y[i, j] = x[i, j]
#> 2:7 error aie.extent: dimension 1 of `x` is 3000000000, which is not from 1 to 2147483648
#>   hint: give it a size in this range

#: a size that is not known
@kernel
def f(x: In[Tensor[f32, K, N]], y: Out[Tensor[f32, K, N]]) -> None:
    for i in tiles(K, 8):
        y[i, :] = x[i, :]
#> 2:7 error aie.unknown-size: the size of `K` is not known
#>   hint: give it one: `--set K=1024`

#: a loop by fours
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, 16, N]]) -> None:
    for m in range(0, M, 4):
        y[m // 4, :] = x[m, :] + x[m + 1, :]
#> 3:5 error aie.loop-range: a core has no loop over `range(0, 64, 4)`
#>   hint: count by ones, `range(16)`, and write `4 * m` for `m`

#: two loops of one variable, that cores do not share
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(tiles(M, 8), level='core'):
        a = zeros(f32, i, 1)
        for j in tiles(N, 32):
            a = a + reduce_sum(x[i, j], axis=1)
        for j in tiles(N, 32):
            y[i, j] = x[i, j] + a
#> compiles

#: a loop without an iteration
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(tiles(M, 8), level='core'):
        a = zeros(f32, i, N)
        for j in range(0):
            a = a + x[i, :]
        y[i, :] = a
#> 5:18 error aie.no-iteration: this loop has no iteration
#>   hint: give it sizes of 1 or more

#: an `if` of what is not known
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        if len(i) == 8:
            y[i, :] = x[i, :]
        else:
            y[i, :] = x[i, :] + x[i, :]
#> 4:9 error aie.branch: the condition of this `if` is not known when compiling
#>   hint: compute both and choose by a mask: `where(x > 0.0, a, b)`

#: an `if` in a shared loop
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(tiles(M, 8), level='core'):
        if len(i) == 8:
            y[i, :] = x[i, :]
        else:
            y[i, :] = x[i, :] + x[i, :]
#> 4:9 error aie.branch: the condition of this `if` is not known when compiling
#>   hint: compute both and choose by a mask: `where(x > 0.0, a, b)`

#: an int that a `while` counts
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        a = x[i, :]
        n = 0
        while n < 2:
            a = a + 1.0
            n = n + 1
        y[i, :] = a
#> 6:9 error aie.statement: a core has no form for `while n < 2: …
#>   hint: compute it before the kernel, or in C++: `@external`

#: a tensor with ones around it
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        for j in tiles(N, 32):
            y[i, j] = load(x, i, j - 1, outside=1.0)
#> 5:23 error aie.outside: `aie.load(x_tile, x, i, j - 1, outside=1.0)` loads elements from outside of its tensor
#>   hint: zeros can stand around a tensor, `outside=0.0`; else hand it over with its border, and load slices: `x[i, 0:N]`

#: a shared tensor with zeros around it
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(tiles(M, 8), level='core'):
        for j in tiles(N, 32):
            y[i, j] = load(x, i, j - 1, outside=0.0)
#> 5:23 error aie.outside: `aie.load(x_tile, x, i, j - 1, outside=0.0)` loads elements from outside of its tensor
#>   hint: zeros can stand around a tensor, `outside=0.0`; else hand it over with its border, and load slices: `x[i, 0:N]`

#: a loop variable as an operand
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for q in range(M):
        y[q, :] = x[q, :] * q
#> 4:29 error aie.loop-value: `q` is a loop variable and an operand
#>   hint: hand the numbers over as a tensor, `numbers: In[Tensor[f32, M, 1]]`, and load the one of each iteration: `numbers[q, :]`

#: a loop variable as an operand of a weight
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, 120]]) -> None:
    for i in range(M):
        acc = x[i, 0:120]
        for s in range(1, 5):
            acc = acc + x[i, s:s + 120] * (s + 1)
        y[i, :] = acc
#> 6:44 error aie.loop-value: `s` is a loop variable and an operand
#>   hint: hand the numbers over as a tensor, `numbers: In[Tensor[f32, M, 1]]`, and load the one of each iteration: `numbers[s, :]`

#: an index that is a product of indices
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in range(M):
        y[i, :] = x[i * i % M, :]
#> 4:19 error aie.index: the index `i * i % M` has no stream
#>   hint: load the dimension whole, or by a loop: `for k in range(4)` and `x[k, :]`

#: a shared index plus one
@kernel
def f(x: In[Tensor[f32, M + 1, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(range(M), level='core'):
        y[i, :] = x[i, :] + x[i + 1, :]
#> 4:19 error aie.block-extent: blocks of 64 elements index a dimension of 65
#>   hint: cut the blocks from the dimension that they index

#: blocks of another extent
@kernel
def f(x: In[Tensor[f32, M, N]], w: In[Tensor[f32, 72, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(tiles(M, 8), level='core'):
        y[i, :] = x[i, :] + w[i, :]
#> 4:29 error aie.block-extent: blocks of 64 elements index a dimension of 72
#>   hint: cut the blocks from the dimension that they index

#: a second store
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for m in range(M - 1):
        y[m, :] = x[m, :] - x[m + 1, :]
    y[M - 1, :] = x[0, :]
    y[0, :] = x[0, :]
#> 6:5 error aie.two-stores: `y` is stored by two statements
#>   hint: store to a tensor of its own, each element once

#: a second store in a shared loop
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(tiles(M, 8), level='core'):
        y[i, :] = x[i, :]
        y[i, :] = x[i, :] + 1.0
#> 4:9 warning tile.dead-store: nothing reads what is stored to `y` here
#>   hint: leave it out, or read it before
#> 5:9 error aie.two-stores: `y` is stored by two statements
#>   hint: store to a tensor of its own, each element once

#: a load and a store at other indices
@kernel
def f(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :] + y[0, :]
#> 4:9 error aie.other-elements: `y` is loaded and stored at different indices
#>   hint: store to a tensor of its own, each element once

#: a load behind a store
@kernel
def f(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :] * 2.0
    for j in tiles(M, 4):
        z[j, :] = y[j, :] + 1.0
#> 6:19 error aie.load-after-store: `y` is loaded after it was stored
#>   hint: keep what you store in a tile with a name, and go on with that: `t = …`, `y[…] = t`

#: a load behind a store in a shared loop
@kernel
def f(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(tiles(M, 8), level='core'):
        y[i, :] = x[i, :] * 2.0
        z[i, :] = y[i, :] + 1.0
#> 5:19 error aie.load-after-store: `y` is loaded after it was stored
#>   hint: keep what you store in a tile with a name, and go on with that: `t = …`, `y[…] = t`

#: a store that each block repeats
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[:, :] = x[:, :]
#> 4:9 error aie.repeated-store: each block of `i` repeats this store
#>   hint: store to the block, `y[i]`, or behind the loop

#: a store beside a shared loop
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]], w: In[Tensor[f32, 1, N]], z: Out[Tensor[f32, 1, N]]) -> None:
    for j in tiles(N, 32):
        z[:, j] = w[:, j] + 1.0
        for i in htp.parallel(tiles(M, 8), level='core'):
            y[i, j] = x[i, j]
#> 4:9 error aie.store-beside: this store stands beside the loop over `i`, whose blocks cores share
#>   hint: store within the loop, or by a process of a pipeline

#: an index that goes backwards
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for m in range(M):
        y[m, :] = x[M - 1 - m, :]
#> 4:19 error aie.backwards: the index `M - 1 - m` goes backwards
#>   hint: go through the tensor forwards, and let the host hand it over the other way round

#: a store of another rank
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, 1, M, N]]) -> None:
    for m in range(M - 1):
        y[0, m, :] = x[m, :] + x[m + 1, :]
    y[0, M - 1, :] = x[0, :]
#> 4:9 error aie.slice-extents: `aie.store(y, add, 0, m, tile.whole)` has a tile of other extents than the slice
#>   hint: give the tile those of the slice: `reshape(…, 1, 1, 128)`

#: blocks of two extents that are padded
@kernel
def f(x: In[Tensor[f32, 60, N]], y: Out[Tensor[f32, 60, N]], z: Out[Tensor[f32, 8, N]]) -> None:
    for i in tiles(60, 8):
        y[i, :] = x[i, :]
    for j in range(7):
        for q in tiles(8, 3):
            z[q, :] = x[q, :]
#> 7:23 error aie.mixed-blocks: blocks go through 60 and through 8 elements of dimension 0 of `x`, and their last ones are padded
#>   hint: choose blocks that divide both

#: a tensor of 2**67 elements
@kernel
def f(x: In[Tensor[f32, 8, 2147483648, 2147483648, 4]], y: Out[Tensor[f32, 8, 2147483648, 2147483648, 4]]) -> None:
    for i in tiles(8, 8):
        y[i, :, :, :] = x[i, :, :, :] + 1.0
#> 2:7 error aie.many-elements: `x` has more than 2**40 elements, (8, 2147483648, 2147483648, 4)
#>   hint: decrease its extents

#: a tile of 2**64 elements
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 16):
        t = full(f32, 1.0, 4294967296, 4294967296)
        y[i, :] = x[i, :] + reduce_max(reduce_max(t, axis=1), axis=0)
#> 4:9 error aie.many-elements: `t` has more than 2**40 elements, (4294967296, 4294967296)
#>   hint: decrease its extents

#: a channel of 2**64 elements
@pipeline
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, 4294967296, 4294967296, capacity=1)

    @process
    def one() -> None:
        rows.put(full(f32, 1.0, 4294967296, 4294967296))

    @process
    def other() -> None:
        total = reduce_max(reduce_max(rows.get(), axis=1), axis=0)
        for i in tiles(M, 16):
            y[i, :] = x[i, :] + total
#> 3:5 error aie.many-elements: `rows` has more than 2**40 elements, (4294967296, 4294967296)
#>   hint: decrease its extents

#: a range of more iterations than are counted
@pipeline
def f(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, 1, N, capacity=1)

    @process
    def one() -> None:
        for n in range(9223372036854775807):
            rows.put(x[0, :])

    @process
    def other() -> None:
        for n in range(9223372036854775807):
            y[0, :] = rows.get()
#> 7:24 error aie.loop-bound: a number of `range(9223372036854775807)` is not from -2**40 to 2**40
#>   hint: write blocks no longer than what they go through, and iterations that a core ends

#: a block longer than elements are counted
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 9223372036854775807):
        y[i, :] = x[i, :] + 1.0
#> 4:19 error aie.core-memory-full: the blocks of streams and the tiles of `f` take 65536 bytes of a core's memory, and it has 64512: `x` in, `y` out
#>   hint: `x` takes the most, 32768 bytes for 64 by 128 elements: cut its dimensions into smaller blocks, `for i in tiles(64, 16)` and `x[i, :]`
