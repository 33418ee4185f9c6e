import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, relayout, tiles


#: blocks that are added as they lie
@kernel
def blocks(x: In[Tensor[f32, 64, 32, htp.layouts.packed((64, 32), (16, 8), (0, 1), (0, 1))]], y: Out[Tensor[f32, 64, 32]]) -> None:
    for i in tiles(64, 16):
        y[i, :] = relayout(x[i, :], htp.layouts.ordered((64, 32), (0, 1))) * 2.0
#> 4:37 note aie.free-relayout: a `relayout` to `htp.layout(((2048, 1, 'm'),))` moves nothing
#>   hint: nothing is to be done: it costs nothing

#: what does not begin with its first element
@kernel
def late(x: In[Tensor[f32, 64, 32, htp.layouts.strided((64, 32), (32, 1), offset=8)]], y: Out[Tensor[f32, 64, 32]]) -> None:
    for i in tiles(64, 16):
        y[i, :] = x[i, :] * 2.0
#> 2:36 error tile.unsupported-layout: `x` lies as `htp.layout(((2048, 1, "m"),), offset={"m": 8})`, and aie takes parameters whose elements lie in one memory, from the first on
#>   note: it begins at element 8, and an array begins at its first
#>   hint: leave the layout out, and give an array that lies row-major: `numpy.ascontiguousarray(…)`

#: a vector in no steps, which is not told from one in rows
@kernel
def vector(x: In[Tensor[f32, 64, htp.layouts.swizzle(htp.layouts.ordered((64,), (0,)), 2, 0, 2)]], y: Out[Tensor[f32, 64]]) -> None:
    for i in tiles(64, 16):
        y[i] = x[i] * 2.0
#> 2:34 error tile.unsupported-layout: `x` lies as `htp.layout(((4, 16, "m"), (16, (1, 2, 5, 10), "m")))`, and aie takes parameters with one step along each dimension
#>   note: dimension 0 has no one stride: it is cut into blocks
#>   hint: leave the layout out, and give an array that lies row-major: `numpy.ascontiguousarray(…)`

#: a relayout of what is spread over devices
@kernel
def spread(x: In[Tensor[f32, 64, 32, htp.layouts.shard((64, 32), ("x", None), mesh={"x": 2})]], y: Out[Tensor[f32, 64, 32]]) -> None:
    y[:, :] = relayout(x[:, :], htp.layouts.shard((64, 32), (None, None), mesh={"x": 2}))
#> 2:38 note tile.one-device: `x` is spread over `x`, and aie is one device, which holds all of it
#>   hint: nothing is to be done; arrays are given whole, row-major
#> 3:15 error aie.spread-relayout: a tile is spread as `htp.layout(((2048, 1, 'm'),), replicate=((2, 1, 'x'),))` says, and one device holds all of it
#>   hint: leave the layout to the compiler
