import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, matmul, relayout, tiles


#: rows of a tensor that lies in columns
@kernel
def rows(x: In[Tensor[f32, 64, 32, htp.layouts.ordered((64, 32), (1, 0))]], y: Out[Tensor[f32, 64, 32]]) -> None:
    for p in range(64):
        y[p, :] = x[p, :] * 2
#> compiles

#: rows of a tensor that lies in rows
@kernel
def rows(x: In[Tensor[f32, 64, 32, htp.layouts.ordered((64, 32), (0, 1))]], y: Out[Tensor[f32, 64, 32]]) -> None:
    for p in range(64):
        y[p, :] = x[p, :] * 2
#> compiles

#: no two elements lie side by side
@kernel
def every_other(x: In[Tensor[f32, 64, 32]], y: Out[Tensor[f32, 64, 32, htp.layouts.strided((64, 32), (64, 2))]]) -> None:
    for i in tiles(64, 16):
        y[i, :] = relayout(x[i, :], htp.layouts.strided((64, 32), (64, 2)))
#> 2:72 note a2a3.laid-in-rows: `y`, which lies as `htp.layouts.strided((64, 32), (64, 2))`, is laid in rows beside it
#>   hint: where it is read often, let lines lie together: `htp-host stages PACKAGE a2a3.lay_in_rows` shows what is moved
#> 4:37 note a2a3.free-relayout: a `relayout` to `htp.layout(((2048, 2, 'm'),))` moves nothing
#>   hint: nothing is to be done: it costs nothing

#: blocks
@kernel
def blocks(x: In[Tensor[f32, 64, 32, htp.layouts.packed((64, 32), (16, 8), (0, 1), (0, 1))]], y: Out[Tensor[f32, 64, 32]]) -> None:
    for i in tiles(64, 16):
        y[i, :] = x[i, :] * 2
#> 2:38 note a2a3.laid-in-rows: `x`, which lies as `htp.layouts.packed((64, 32), (16, 8), (0, 1), (0, 1))`, is laid in rows beside it
#>   hint: where it is read often, let lines lie together: `htp-host stages PACKAGE a2a3.lay_in_rows` shows what is moved

#: a swizzle
@kernel
def swizzled(x: In[Tensor[f32, 64, 32, htp.layouts.swizzle(htp.layouts.ordered((64, 32), (0, 1)), 2, 0, 3)]], y: Out[Tensor[f32, 64, 32]]) -> None:
    for i in tiles(64, 16):
        y[i, :] = x[i, :] * 2
#> 2:40 error a2a3.parameter-digits: `x` lies as `htp.layout(((64, 32, "m"), (32, (1, 2, 4, 9, 18), "m")))`, and transfers follow no swizzle and no block across dimensions
#>   hint: let it lie in blocks, or by steps: `htp.layouts.packed((64, 32), (64, 8), (1, 0), (0, 1))`

#: a vector that is swizzled, of which no storage is told from it
@kernel
def vector(x: In[Tensor[f32, 64, htp.layouts.swizzle(htp.layouts.ordered((64,), (0,)), 2, 0, 2)]], y: Out[Tensor[f32, 64]]) -> None:
    y[:] = relayout(x[:], htp.layouts.ordered((64,), (0,)))
#> 2:34 error tile.unsupported-layout: `x` lies as `htp.layout(((4, 16, "m"), (16, (1, 2, 5, 10), "m")))`, and a2a3 takes parameters with one step along each dimension
#>   note: dimension 0 has no one stride: it is cut into blocks
#>   hint: leave the layout out, and give an array that lies row-major: `numpy.ascontiguousarray(…)`

#: a relayout of what is spread over devices
@kernel
def spread(x: In[Tensor[f32, 64, 32, htp.layouts.shard((64, 32), ("x", None), mesh={"x": 2})]], y: Out[Tensor[f32, 64, 32]]) -> None:
    y[:, :] = relayout(x[:, :], htp.layouts.shard((64, 32), (None, None), mesh={"x": 2}))
#> 2:38 note tile.one-device: `x` is spread over `x`, and a2a3 is one device, which holds all of it
#>   hint: nothing is to be done; arrays are given whole, row-major
#> 3:15 error a2a3.no-handler: `tile.relayout` has no instructions on a2a3
#>   hint: leave the layout to the compiler: one device holds all of a tile

#: lines of a product that lie far apart
@kernel
def far(a: In[Tensor[f32, 16, 16, htp.layouts.strided((16, 16), (65536, 1))]], b: In[Tensor[f32, 16, 16]], c: Out[Tensor[f32, 16, 16]]) -> None:
    c[:, :] = matmul(a[:, :], b[:, :])
#> 3:22 error a2a3.line-distance: what a product takes of `a` begins 65536 elements apart, 65535 at most
#>   hint: let lines begin nearer, or cut the tensor in several

#: lines of a product that lie as far apart as they may
@kernel
def far(a: In[Tensor[f32, 16, 16, htp.layouts.strided((16, 16), (65535, 1))]], b: In[Tensor[f32, 16, 16]], c: Out[Tensor[f32, 16, 16]]) -> None:
    c[:, :] = matmul(a[:, :], b[:, :])
#> 3:5 note a2a3.one-task-beside: `far` runs on one core of 24 cube cores: a statement stands beside its loops
#>   hint: store all of it in one loop over blocks, and index what is stored by its block: `for i in tiles(M, 16): y[i, :] = …`
