import htp
from htp import In, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, tiles

M = 37


@pipeline
def stages(x: In[Tensor[f32, M, 16]], y: Out[Tensor[f32, M, 16]], z: Out[Tensor[f32, 2, 16]]) -> None:
    rows = channel(f32, tiles(M, 8), 16, capacity=2)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])

    @process
    def work() -> None:
        for i in tiles(M, 8):
            row = rows.get()
            y[i, :] = row + x[i, :] * x[i, :]

    @process(grid=2)
    def fill(k: int) -> None:
        z[k, :] = x[k, :] + 1.0

#: a process that computes is left to DMA engines
#! stage: aie.offload_copies
#! old: @aie.core()\n        def fill_0
#! new: @aie.dma()\n        def fill_0
#> 38:9 error aie.dma-computes: `fill_0` is done by DMA engines, and does more than move tiles
#>   note: this stage says `Aie.Offloaded` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: mark it `@aie.core()`

#: processes that share a core, and hand on more than they have in the same iteration
#! stage: aie.instantiate
#! old: @aie.core()\n        def work
#! new: @aie.core(on='load', interleaved=False)\n        def work
#> - error aie.fused-channel: processes of `stages` that share a core hand items to each other by a channel
#>   hint: give the processes cores of their own: take out `on=`

#: a slice that is loaded twice again
#! stage: aie.share_loads
#! old: aie.mul(mul, x_tile_1, x_tile_1)
#! new: x_tile_2 = aie.buffer(f32, work_i, 16)\n                aie.load(x_tile_2, x, work_i, aie.whole)\n                aie.mul(mul, x_tile_1, x_tile_2)
#> 13:1 error aie.not-done: `aie.share_loads` has something to do in `stages`
#>   note: this stage says `Aie.LoadsShared` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: let the compile go on from an earlier stage, or do it in this one

#: a block that is released twice
#! stage: aie.elide_copies
#! old: x_tile_3 = aie.acquire(x_in_1, core)
#! new: x_tile_3 = aie.buffer(f32, 1, 16)\n            x_part = aie.acquire(x_in_1, core)\n            aie.copy(x_tile_3, x_part)\n            aie.release(x_in_1, core)
#> 43:13 error aie.unheld: a block of `x_in_1` is released, and none is held
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: acquire one first, or take this statement out

#: a tensor is padded to less than it has
#! stage: aie.pad_blocks
#! old: x_padded = aie.pad(x, (40, 16))
#! new: x_padded = aie.pad(x, (36, 16))
#> 15:31 error aie.short-padding: dimension 0 of `x` has 37 elements, and is padded to 36
#>   note: this stage says `Aie.BlocksPadded` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: pad it to as many, or more

#: blocks that reach beyond the padding
#! stage: aie.pad_blocks
#! old: x_padded = aie.pad(x, (40, 16))
#! new: x_padded = aie.pad(x, (38, 16))
#> 23:17 error aie.slice-outside: an index of `x` reaches outside of its extents
#>   note: this stage says `Aie.BlocksPadded` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: index the tensor within its extents

#: padding of other dimensions
#! stage: aie.pad_blocks
#! old: x_padded = aie.pad(x, (40, 16))
#! new: x_padded = aie.pad(x, (40,))
#> 15:31 error aie.other-padding: the streams of `x` differ in its extents
#>   note: this stage says `Aie.BlocksPadded` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give all streams of it the same extents, `pieces` and `fill`

#: no padding
#! stage: aie.pad_blocks
#! old: x_padded = aie.pad(x, (40, 16))
#! new: x_padded = aie.pad(x)
#> 15:9 error aie.pad-arguments: `x_padded = aie.pad(x)` does not take a tensor and extents
#>   note: this stage says `Aie.BlocksPadded` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `aie.pad(x, (16, 64))`

#: a fill that there is not
#! stage: aie.pad_blocks
#! old: x_padded = aie.pad(x, (40, 16))
#! new: x_padded = aie.pad(x, (40, 16), fill='ones')
#> 15:46 error aie.not-fill: `'ones'` is not a value of padding
#>   note: this stage says `Aie.BlocksPadded` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `'zeros'`, `'least'` or `'greatest'`

#: pieces that are uneven
#! stage: aie.pad_blocks
#! old: x_padded = aie.pad(x, (40, 16))
#! new: x_padded = aie.pad(x, (40, 16), pieces=(3, 1))
#> 15:9 error aie.uneven-pieces: dimension 0 of `x`, 37 elements padded to 40, is not 3 equal pieces
#>   note: this stage says `Aie.BlocksPadded` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: choose a number that divides both extents

#: a slice of another channel's extents
#! stage: aie.normalize_loops
#! old: rows: csp.Channel[f32, 8, 16] = aie.channel(f32, 8, 16, capacity=2)
#! new: rows: csp.Channel[f32, 4, 16] = aie.channel(f32, 4, 16, capacity=2)
#> 24:17 error aie.item-extents: a tile of (8, 16) elements goes into a channel of (4, 16)
#>   note: this stage says `Aie.LoopsNormal` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: reshape it, or declare the channel for it

#: blocks that there are not
#! stage: aie.instantiate
#! old: for work_i in tile.tiles(37, 8):
#! new: for work_i in aie.blocks(37, 8, 2):
#> 26:13 error aie.loop-range: a core has no loop over `aie.blocks(37, 8, 2)`
#>   note: this stage says `Aie.Instantiated` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `for i in tiles(M, 8)` or `for i in range(8)`
