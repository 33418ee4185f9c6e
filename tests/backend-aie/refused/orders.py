import htp
from htp import In, Out, i8
from htp_csp import pipeline, process
from htp_tile import Tensor


@pipeline
def moved(x: In[Tensor[i8, 64, 64]], y: Out[Tensor[i8, 64, 64]]) -> None:
    @process
    def first() -> None:
        y[:, :] = x[:, :] + 1

#: lines of an element
#! old: feed(x, (64, 64), (64, 64), ((4096, 1),)
#! new: feed(x, (64, 64), (64, 64), ((64, 64), (32, 1), (2, 32))
#> 13:9 error aie.line-bytes: the transfers of `x` go through lines of 1 elements, no multiple of 4 bytes
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: choose blocks whose last dimension is longer, or a multiple of 4 bytes

#: a stride of 62 bytes
#! old: feed(x, (64, 64), (64, 64), ((4096, 1),)
#! new: feed(x, (64, 64), (64, 64), ((64, 62), (64, 1))
#> 13:9 error aie.stride-bytes: the transfers of `x` have a stride of 62 elements, no multiple of 4 bytes
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: choose extents whose rows are a multiple of 4 bytes

#: a start at the second element
#! old: feed(x, (64, 64), (64, 64), ((4096, 1),), 0, 'first', 1, start=0
#! new: feed(x, (64, 64), (64, 64), ((64, 60), (64, 1)), 0, 'first', 1, start=2
#> 13:9 error aie.start-bytes: the transfers of `x` begin at elements that are no multiple of 4 bytes
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: choose blocks whose last dimension is longer, or a multiple of 4 bytes

#: a row that comes eight times, within other rows
#! old: feed(x, (64, 64), (64, 64), ((4096, 1),)
#! new: feed(x, (64, 64), (64, 64), ((8, 64), (8, 0), (64, 1))
#> 13:9 error aie.inner-repeat: the transfers of `x` repeat elements in another dimension than the outermost
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: make the loop that repeats them the outermost one

#: five dimensions
#! old: feed(x, (64, 64), (64, 64), ((4096, 1),)
#! new: feed(x, (64, 64), (64, 64), ((8, 64), (8, 512), (4, 4), (4, 16), (4, 1))
#> 13:9 error aie.transfer-dimensions: the transfers of `x` have 5 dimensions, 4 available
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: choose blocks that cut fewer dimensions

#: four dimensions, the outermost of 128
#! old: feed(x, (64, 64), (64, 64), ((4096, 1),)
#! new: feed(x, (64, 64), (64, 64), ((128, 32), (2, 4), (4, 8), (4, 1))
#> 13:9 error aie.transfer-iterations: the transfers of `x` have 128 iterations of the outermost dimension, 64 at most available
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: choose larger blocks

#: a core that makes no block of those that are collected
#! old:             add = aie.acquire(y_out, core)\n            aie.add(add, x_tile, 1)\n            aie.release(x_in, core)\n            aie.release(y_out, core)
#! new:             for m in range(2):\n                add = aie.acquire(y_out, core)\n                aie.add(add, x_tile, 1)\n                aie.release(y_out, core)\n            aie.release(x_in, core)
#> 12:9 error aie.blocks-uncollected: `first` makes 2 blocks of `y_out`, and 1 are collected
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: let the loops of the cores, and the orders of the streams, give as many blocks at both ends
