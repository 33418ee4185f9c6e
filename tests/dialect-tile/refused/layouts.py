#: two layouts meet
@kernel
def k(x: In[Tensor[f32, 8, 64, htp.layouts.ordered((8, 64), (0, 1))]], y: Out[Tensor[f32, 8, 64]], z: In[Tensor[f32, 8, 64, htp.layouts.ordered((8, 64), (1, 0))]]) -> None:
    y[:, :] = x[:, :] + z[:, :]
#> 3:25 error tile.layout-mismatch: `tile.add` expects the layout `htp.layout(((512, 1, "m"),))`, got `htp.layout(((8, 1, "m"), (64, 8, "m")))`
#>   note: the relayout takes: copy (2048 bytes)
#>   hint: convert it: `relayout(z[:, :], htp.layout(((512, 1, "m"),)))`

#: devices meet
@kernel
def k(x: In[Tensor[f32, 8, 64, htp.layouts.shard((8, 64), ("x", None), mesh={"x": 4})]], y: Out[Tensor[f32, 8, 64]], z: In[Tensor[f32, 8, 64, htp.layouts.shard((8, 64), (None, "x"), mesh={"x": 4})]]) -> None:
    y[:, :] = x[:, :] + z[:, :]
#> 3:25 error tile.layout-mismatch: `tile.add` expects the layout `htp.layout(((4, 1, "x"), (128, 1, "m")))`, got `htp.layout(((8, 16, "m"), (4, 1, "x"), (16, 1, "m")))`
#>   note: the relayout takes: all_to_all over x from dimension 1 to 0 (384 bytes)
#>   hint: convert it: `relayout(z[:, :], htp.layout(((4, 1, "x"), (128, 1, "m"))))`

#: a sum that is still to be made
@kernel
def k(x: In[Tensor[f32, 8, 64, htp.layouts.shard((8, 64), ("x", None), mesh={"x": 4})]], y: Out[Tensor[f32, 8, 64]], z: In[Tensor[f32, 8, 64, htp.layouts.shard((8, 64), (None, None), mesh={"x": 4}, pending={"x": "sum"})]]) -> None:
    y[:, :] = x[:, :] * z[:, :]
#> 3:25 error tile.layout-mismatch: `tile.mul` expects the layout `htp.layout(((4, 1, "x"), (128, 1, "m")))`, got `htp.layout(((512, 1, "m"),), pending=((4, 1, "x", "sum"),))`
#>   note: the relayout takes: reduce_scatter of the sum over x along dimension 0 (1536 bytes)
#>   hint: convert it: `relayout(z[:, :], htp.layout(((4, 1, "x"), (128, 1, "m"))))`

#: a part of what is whole
@kernel
def k(x: In[Tensor[f32, 8, 64, htp.layouts.shard((8, 64), (None, None), mesh={"x": 4}, pending={"x": "sum"})]], y: Out[Tensor[f32, 8, 64]], z: In[Tensor[f32, 8, 64, htp.layouts.shard((8, 64), (None, None), mesh={"x": 4})]]) -> None:
    y[:, :] = where(x[:, :] > 0, x[:, :], z[:, :])
#> 3:43 error tile.layout-mismatch: `tile.where` expects the layout `htp.layout(((512, 1, "m"),), pending=((4, 1, "x", "sum"),))`, got `htp.layout(((512, 1, "m"),), replicate=((4, 1, "x"),))`
#>   note: the relayout takes: all_reduce of the sum over x (3072 bytes)
#>   hint: convert the other side: `relayout(…, htp.layout(((512, 1, "m"),), replicate=((4, 1, "x"),)))`

#: stored elsewhere
@kernel
def k(x: In[Tensor[f32, 8, 64, htp.layouts.ordered((8, 64), (0, 1))]], y: Out[Tensor[f32, 8, 64, htp.layouts.packed((8, 64), (8, 8), (0, 1), (0, 1))]]) -> None:
    y[:, :] = x[:, :]
#> 3:15 error tile.layout-mismatch: `tile.store` expects the layout `htp.layout(((8, 8, "m"), (8, 64, "m"), (8, 1, "m")))`, got `htp.layout(((512, 1, "m"),))`
#>   note: the relayout takes: copy (2048 bytes)
#>   hint: convert it: `relayout(x[:, :], htp.layout(((8, 8, "m"), (8, 64, "m"), (8, 1, "m"))))`

#: another number of elements
@kernel
def k(x: In[Tensor[f32, 8, 64]], y: Out[Tensor[f32, 8, 64]]) -> None:
    y[:, :] = tile.relayout(x[:, :], htp.layouts.ordered((8, 32), (0, 1)))
#> 3:38 error tile.layout-size: a layout of 256 elements does not lay out `Tile[f32, 8, 64]`, which has 512
#>   hint: give a layout whose extents are those of the tile

#: no layout
@kernel
def k(x: In[Tensor[f32, 8, 64, htp.layouts.swizzle(htp.layouts.ordered((3, 64), (0, 1)), 1, 0, 7)]], y: Out[Tensor[f32, 8, 64]]) -> None:
    y[:, :] = tile.relayout(x[:, :], 3)
#> 2:32 error tile.bad-layout: `htp.layouts.swizzle(htp.layouts.ordered((3, 64), (0, 1)), 1, 0, 7)` is no layout: a swizzle works on bits, and 192 elements lie at steps that are no bits: extents and strides are to be powers of two
#>   hint: for instance `htp.layouts.ordered((64, 64), (0, 1))`, which is row-major
#> 3:38 error tile.bad-layout: `3` is no layout: a layout is written with a constructor: htp.layout(((64, 64, "m"), (64, 1, "m")))
#>   hint: for instance `htp.layouts.ordered((64, 64), (0, 1))`, which is row-major

#: no constructor
@kernel
def k(x: In[Tensor[f32, 8, 64]], y: Out[Tensor[f32, 8, 64]]) -> None:
    a = tile.relayout(x[:, :], htp.layouts.rows(8, 64))
    b = tile.relayout(a, htp.layout(((htp.dim("M"), 64, "m"), (64, 1, "m"))))
    y[:, :] = tile.relayout(x[:, :], htp.layout(((SIZE, 64, "m"), (SIZE * 8, 1, "m"))))
#> 3:32 error tile.bad-layout: `htp.layouts.rows(8, 64)` is no layout: `htp.layouts.rows` is no constructor of layouts
#>   hint: for instance `htp.layouts.ordered((64, 64), (0, 1))`, which is row-major
#> 4:26 error tile.bad-layout: `htp.layout(((htp.dim('M'), 64, 'm'), (64, 1, 'm')))` is no layout: a digit of a layout is (extent, stride, "axis")
#>   hint: for instance `htp.layouts.ordered((64, 64), (0, 1))`, which is row-major

#: other elements altogether
@kernel
def k(x: In[Tensor[f32, 8, 64, htp.layouts.ordered((8, 64), (0, 1))]], y: Out[Tensor[f32, 8, 64]], z: In[Tensor[f32, 8, 64, htp.layouts.ordered((8, 32), (1, 0))]]) -> None:
    y[:, :] = x[:, :] + z[:, :]
#> 2:125 error tile.layout-size: a layout of 256 elements does not lay out `Tensor[f32, 8, 64, htp.layouts.ordered((8, 32), (1, 0))]`, which has 512
#>   hint: give a layout whose extents are those of the tensor

#: two elements in one place
@kernel
def k(x: In[Tensor[f32, 8, 64, htp.layouts.strided((8, 64), (8, 1))]], y: Out[Tensor[f32, 8, 64]]) -> None:
    y[:, :] = x[:, :]
#> 2:32 error tile.bad-layout: `htp.layouts.strided((8, 64), (8, 1))` is no layout: two of its elements lie in one place
#>   hint: for instance `htp.layouts.ordered((64, 64), (0, 1))`, which is row-major

#: a dimension that goes nowhere
@kernel
def k(x: In[Tensor[f32, 8, 64, htp.layouts.strided((8, 64), (0, 1))]], y: Out[Tensor[f32, 8, 64]]) -> None:
    y[:, :] = x[:, :]
#> 2:32 error tile.bad-layout: `htp.layouts.strided((8, 64), (0, 1))` is no layout: two of its elements lie in one place
#>   hint: for instance `htp.layouts.ordered((64, 64), (0, 1))`, which is row-major

#: elements before the beginning
@kernel
def k(x: In[Tensor[f32, 8, 64, htp.layouts.strided((8, 64), (-64, 1))]], y: Out[Tensor[f32, 8, 64]]) -> None:
    y[:, :] = x[:, :]
#> 2:32 error tile.bad-layout: `htp.layouts.strided((8, 64), (-64, 1))` is no layout: some of its elements lie before the beginning
#>   hint: for instance `htp.layouts.ordered((64, 64), (0, 1))`, which is row-major

#: a dim of any size
@kernel
def k(x: In[Tensor[f32, M, 64, htp.layouts.ordered((8, 64), (0, 1))]], y: Out[Tensor[f32, M, 64]]) -> None:
    y[:, :] = x[:, :]
#> 2:32 error tile.layout-size: a layout of 512 elements does not lay out `Tensor[f32, M, 64, htp.layouts.ordered((8, 64), (0, 1))]`, which has as many as `M` says
#>   hint: give the dimensions that a layout speaks of as ints
