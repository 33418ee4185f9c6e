import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, relayout, tiles


@kernel
def columns(x: In[Tensor[f32, 64, 32, htp.layouts.ordered((64, 32), (1, 0))]], y: Out[Tensor[f32, 64, 32]]) -> None:
    for i in tiles(64, 16):
        y[i, :] = relayout(x[i, :], htp.layouts.ordered((64, 32), (0, 1)))

#: a slice that is not turned
#! old: , turned=True
#! new:
#> 19:17 error a2a3.transfer-steps: `pto.tload` moves lines of `x` along dimension 1, whose elements are 64 apart
#>   note: this stage says `A2a3.Ordered` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `turned=True`, and a tile of columns by rows

#: a slice of rows that is turned
#! old: pto.tstore(y, relayout, slice(i_at, i_at + i_n), pto.whole)
#! new: pto.tstore(y, relayout, slice(i_at, i_at + i_n), pto.whole, turned=True)
#> 32:17 error a2a3.transfer-steps: `pto.tstore` moves lines of `y` along dimension 0, whose elements are 32 apart
#>   note: this stage says `A2a3.Ordered` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: leave `turned=True` out

#: a line that is turned
#! old: x, slice(i_at, i_at + i_n), pto.whole, turned=True
#! new: x, i_at, pto.whole, turned=True
#> 19:17 error a2a3.turned-slice: `pto.tload` turns a slice of `x` that has not rows and columns
#>   note: this stage says `A2a3.Ordered` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: leave `turned=True` out

#: a table that lies in columns
#! old: pto.tload(x_tile_turned, x, slice(i_at, i_at + i_n), pto.whole, turned=True)
#! new: index = pto.tile(htp.i32, 1, 32, valid=(1, 32), at=65536)\n                pto.tci(index, 0)\n                pto.pipe_barrier('V')\n                pto.mgather(x_tile_turned, x, index)
#> 22:17 error a2a3.table-steps: `pto.mgather` moves rows of `x`, which does not lie row-major
#>   note: this stage says `A2a3.Ordered` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: leave the layout out of its type
