import htp
from htp import In, InOut, Out, f32
from htp_tile import Tensor, kernel, tiles, zeros, reduce_sum

M = 64
N = 128


@kernel
def sums(x: In[Tensor[f32, M, N]], by: f32, z: Out[Tensor[f32, M, 1]], y: Out[Tensor[f32, M, 1]]) -> None:
    for i in tiles(M, 8):
        total = zeros(f32, i, 1)
        for j in tiles(N, 32):
            total = total + reduce_sum(x[i, j], axis=1)
        y[i, :] = total * by
        z[i, :] = total

#: a loop beside the shared one
#! stage: aie.spread
#! old:         for i in htp.parallel(tile.tiles(64, 8), level='core'):\n
#! new:         for k in tile.tiles(64, 8):\n            aie.fill(total, 0)\n        for i in htp.parallel(tile.tiles(64, 8), level='core'):\n
#> 15:9 error aie.loop-beside: this loop stands beside other statements
#>   note: this stage says `Aie.Mapped` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: make each loop a process of a pipeline: `@process`

#: two loops of one variable
#! stage: aie.spread
#! old:             for j in tile.tiles(128, 32):\n
#! new:             for i in tile.tiles(128, 32):\n
#> 18:13 error aie.loop-name: two loops have the variable `i`
#>   note: this stage says `Aie.Mapped` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give one of them another name

#: a level that there is not
#! stage: aie.spread
#! old: level='core'
#! new: level='lane'
#> 15:18 error aie.loop-level: this loop is bound to `lane`, and cores have the levels core, column and row
#>   note: this stage says `Aie.Mapped` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `level='core'`, `'column'` or `'row'`

#: a second loop that cores share
#! stage: aie.spread
#! old:             for j in tile.tiles(128, 32):\n
#! new:             for j in htp.parallel(tile.tiles(128, 32), level='row'):\n
#> 18:22 error aie.bound-twice: `j` is bound to `row`, and cores share the blocks of `i` already
#>   note: this stage says `Aie.Mapped` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: bind one loop to `core`; or one to `column` and the other to `row`

#: a sum that several cores carry
#! stage: aie.spread
#! old:         for i in htp.parallel(tile.tiles(64, 8), level='core'):\n            total = aie.buffer(f32, i, 1)\n            aie.fill(total, 0)\n            for j in tile.tiles(128, 32):\n
#! new:         for i in htp.parallel(tile.tiles(64, 8), level='column'):\n            total = aie.buffer(f32, i, 1)\n            aie.fill(total, 0)\n            for j in htp.parallel(tile.tiles(128, 32), level='row'):\n
#> 23:17 error aie.carried: iterations of `j` depend on each other, and cores share them
#>   note: this stage says `Aie.Mapped` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: bind another loop: one whose iterations do not depend on each other

#: a loop over a name
#! stage: aie.spread
#! old: tile.tiles(128, 32)
#! new: x
#> 18:13 error aie.loop-range: a core has no loop over `x`
#>   note: this stage says `Aie.Mapped` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `for i in tiles(M, 8)` or `for i in range(8)`

#: an assignment
#! stage: aie.spread
#! old:             by_tile = aie.buffer(f32, 1)\n
#! new:             by_tile = total\n
#> 24:13 error aie.statement: a core has no form for `by_tile = total`
#>   note: this stage says `Aie.Mapped` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: compute it before the kernel, or in C++: `@external`

#: a load of a tile
#! stage: aie.spread
#! old: aie.load(x_tile, x, i, j)
#! new: aie.load(x_tile, total, i, j)
#> 20:17 error aie.not-parameter: the tensor of `aie.load(x_tile, total, i, j)` is not a parameter
#>   note: this stage says `Aie.Mapped` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: compute it where it is used, as a tile, or hand it to the next process of a pipeline by a channel

#: a load at an index that is no loop
#! stage: aie.spread
#! old: aie.load(x_tile, x, i, j)
#! new: aie.load(x_tile, x, 3, j)
#> 20:37 error aie.index: the index `3` has no stream
#>   note: this stage says `Aie.Mapped` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: load the dimension whole, or by a loop: `for k in range(4)` and `x[k, :]`

#: a load at the blocks of another dimension
#! stage: aie.spread
#! old: aie.load(x_tile, x, i, j)
#! new: aie.load(x_tile, x, j, i)
#> 20:37 error aie.block-extent: blocks of 128 elements index a dimension of 64
#>   note: this stage says `Aie.Mapped` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: cut the blocks from the dimension that they index

#: a load with a border
#! stage: aie.spread
#! old: aie.load(x_tile, x, i, j)
#! new: aie.load(x_tile, x, i, j, outside=0.0)
#> 20:17 error aie.outside: `aie.load(x_tile, x, i, j, outside=0.0)` loads elements from outside of its tensor
#>   note: this stage says `Aie.Mapped` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: zeros can stand around a tensor, `outside=0.0`; else hand it over with its border, and load slices: `x[i, 0:N]`

#: an `if` of a loop variable
#! stage: aie.spread
#! old:             aie.fill(total, 0)\n
#! new:             if i > 0:\n                aie.fill(total, 0)\n
#> 17:13 error aie.branch: the condition of this `if` is not known when compiling
#>   note: this stage says `Aie.Mapped` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: compute both and choose by a mask: `where(x > 0.0, a, b)`

#: no statement
#! stage: aie.spread
#! old:             for j in tile.tiles(128, 32):\n
#! new:             for j in tile.tiles(128, 32):\n                for k in tile.tiles(8, 4):\n                    pass\n
#> 13:1 error aie.empty: `sums` computes nothing
#>   note: this stage says `Aie.Mapped` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: store what is computed, or leave it out

#: a stream of a scalar
#! old: aie.feed(by_packed,
#! new: aie.feed(by,
#> 15:33 error aie.stream-scalar: `by` is a scalar, and a stream moves blocks of a tensor
#>   note: this stage says `Aie.LoopsInlined` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: pack it: `by_packed = aie.pack(f32, (1,), (by, 0, ()))`

#: an output that nothing is collected to
#! old: aie.collect(z,
#! new: aie.collect(y,
#> 13:10 error aie.uncollected: nothing is collected to `z`
#>   note: this stage says `Aie.LoopsInlined` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `z_out = aie.collect(z, …)`, and what computes its blocks
