#: two layouts meet
@kernel
def k(x: In[Tensor[f32, 8, 64, htp.layouts.ordered((8, 64), (0, 1))]], y: Out[Tensor[f32, 8, 64]], z: In[Tensor[f32, 8, 64, htp.layouts.ordered((8, 64), (1, 0))]]) -> None:
    y[:, :] = x[:, :] + z[:, :]
#> 3:25 error tile.layout-mismatch: `tile.add` expects the layout `htp.layout(((512, 1, "m"),))`, got `htp.layout(((8, 1, "m"), (64, 8, "m")))`
#>   3:15 this lies as `htp.layout(((512, 1, 'm'),))`
#>   note: the relayout takes: copy (2048 bytes)
#>   hint: convert it: `relayout(z[:, :], htp.layout(((512, 1, "m"),)))`

#: devices meet
@kernel
def k(x: In[Tensor[f32, 8, 64, htp.layouts.shard((8, 64), ("x", None), mesh={"x": 4})]], y: Out[Tensor[f32, 8, 64]], z: In[Tensor[f32, 8, 64, htp.layouts.shard((8, 64), (None, "x"), mesh={"x": 4})]]) -> None:
    y[:, :] = x[:, :] + z[:, :]
#> 3:25 error tile.layout-mismatch: `tile.add` expects the layout `htp.layout(((4, 1, "x"), (128, 1, "m")))`, got `htp.layout(((8, 16, "m"), (4, 1, "x"), (16, 1, "m")))`
#>   3:15 this lies as `htp.layout(((4, 1, 'x'), (128, 1, 'm')))`
#>   note: the relayout takes: all_to_all over x from dimension 1 to 0 (384 bytes)
#>   hint: convert it: `relayout(z[:, :], htp.layout(((4, 1, "x"), (128, 1, "m"))))`

#: a sum that is still to be made
@kernel
def k(x: In[Tensor[f32, 8, 64, htp.layouts.shard((8, 64), ("x", None), mesh={"x": 4})]], y: Out[Tensor[f32, 8, 64]], z: In[Tensor[f32, 8, 64, htp.layouts.shard((8, 64), (None, None), mesh={"x": 4}, pending={"x": "sum"})]]) -> None:
    y[:, :] = x[:, :] * z[:, :]
#> 3:25 error tile.layout-mismatch: `tile.mul` expects the layout `htp.layout(((4, 1, "x"), (128, 1, "m")))`, got `htp.layout(((512, 1, "m"),), pending=((4, 1, "x", "sum"),))`
#>   3:15 this lies as `htp.layout(((4, 1, 'x'), (128, 1, 'm')))`
#>   note: the relayout takes: reduce_scatter of the sum over x along dimension 0 (1536 bytes)
#>   hint: convert it: `relayout(z[:, :], htp.layout(((4, 1, "x"), (128, 1, "m"))))`

#: a part of what is whole
@kernel
def k(x: In[Tensor[f32, 8, 64, htp.layouts.shard((8, 64), (None, None), mesh={"x": 4}, pending={"x": "sum"})]], y: Out[Tensor[f32, 8, 64]], z: In[Tensor[f32, 8, 64, htp.layouts.shard((8, 64), (None, None), mesh={"x": 4})]]) -> None:
    y[:, :] = where(x[:, :] > 0, x[:, :], z[:, :])
#> 3:21 error tile.pending: `tile.gt` needs the sum over `x`, which is still to be made
#>   hint: combine the partial values first: `relayout(x[:, :], htp.layout(((512, 1, "m"),), replicate=((4, 1, "x"),)))`

#: stored elsewhere
@kernel
def k(x: In[Tensor[f32, 8, 64, htp.layouts.ordered((8, 64), (0, 1))]], y: Out[Tensor[f32, 8, 64, htp.layouts.packed((8, 64), (8, 8), (0, 1), (0, 1))]]) -> None:
    y[:, :] = x[:, :]
#> 3:15 error tile.layout-mismatch: `tile.store` expects the layout `htp.layout(((8, 8, "m"), (8, 64, "m"), (8, 1, "m")))`, got `htp.layout(((512, 1, "m"),))`
#>   3:5 this lies as `htp.layout(((8, 8, 'm'), (8, 64, 'm'), (8, 1, 'm')))`
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
#> 2:32 error tile.bad-layout: `htp.layouts.strided((8, 64), (8, 1))` is no layout: two of its elements have one position
#>   hint: for instance `htp.layouts.ordered((64, 64), (0, 1))`, which is row-major

#: a dimension that goes nowhere
@kernel
def k(x: In[Tensor[f32, 8, 64, htp.layouts.strided((8, 64), (0, 1))]], y: Out[Tensor[f32, 8, 64]]) -> None:
    y[:, :] = x[:, :]
#> 2:32 error tile.bad-layout: `htp.layouts.strided((8, 64), (0, 1))` is no layout: two of its elements have one position
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

#: a product of parts is stored as if it were whole
@kernel
def k(a: In[Tensor[f32, 64, 32, htp.layouts.shard((64, 32), (None, "x"), mesh={"x": 2})]], b: In[Tensor[f32, 32, 48, htp.layouts.shard((32, 48), ("x", None), mesh={"x": 2})]], y: Out[Tensor[f32, 64, 48, htp.layouts.shard((64, 48), (None, None), mesh={"x": 2})]]) -> None:
    y[:, :] = matmul(a[:, :], b[:, :])
#> 3:15 error tile.pending: `tile.store` needs the sum over `x`, which is still to be made
#>   hint: combine the partial values first: `relayout(matmul(a[:, :], b[:, :]), htp.layout(((3072, 1, "m"),), replicate=((2, 1, "x"),)))`

#: a sum of parts is stored where no layout is said
@kernel
def k(a: In[Tensor[f32, 64, 32, htp.layouts.shard((64, 32), (None, "x"), mesh={"x": 2})]], y: Out[Tensor[f32, 64, 1]]) -> None:
    y[:, :] = reduce_sum(a[:, :], axis=1)
#> 3:15 error tile.pending: `tile.store` needs the sum over `x`, which is still to be made
#>   hint: combine the partial values first: `relayout(reduce_sum(a[:, :], axis=1), htp.layout(((64, 1, "m"),), replicate=((2, 1, "x"),)))`

#: exp of parts
@kernel
def k(a: In[Tensor[f32, 64, 32, htp.layouts.shard((64, 32), (None, "x"), mesh={"x": 2})]], b: In[Tensor[f32, 32, 48, htp.layouts.shard((32, 48), ("x", None), mesh={"x": 2})]], y: Out[Tensor[f32, 64, 48]]) -> None:
    s = matmul(a[:, :], b[:, :])
    y[:, :] = tile.relayout(exp(s), htp.layouts.shard((64, 48), (None, None), mesh={"x": 2}))
#> 4:33 error tile.pending: `tile.exp` needs the sum over `x`, which is still to be made
#>   hint: combine the partial values first: `relayout(s, htp.layout(((3072, 1, "m"),), replicate=((2, 1, "x"),)))`

#: a bias is added to parts
@kernel
def k(a: In[Tensor[f32, 64, 32, htp.layouts.shard((64, 32), (None, "x"), mesh={"x": 2})]], b: In[Tensor[f32, 32, 48, htp.layouts.shard((32, 48), ("x", None), mesh={"x": 2})]], y: Out[Tensor[f32, 64, 48]]) -> None:
    y[:, :] = tile.relayout(matmul(a[:, :], b[:, :]) + 1.0, htp.layouts.shard((64, 48), (None, None), mesh={"x": 2}))
#> 3:29 error tile.pending: `tile.add` needs the sum over `x`, which is still to be made
#>   hint: combine the partial values first: `relayout(matmul(a[:, :], b[:, :]), htp.layout(((3072, 1, "m"),), replicate=((2, 1, "x"),)))`

#: the mean of the largest parts
@kernel
def k(a: In[Tensor[f32, 64, 32, htp.layouts.shard((64, 32), (None, "x"), mesh={"x": 2})]], y: Out[Tensor[f32, 1, 1]]) -> None:
    top = tile.reduce_max(a[:, :], axis=1)
    y[:, :] = reduce_sum(top, axis=0)
#> 4:26 error tile.pending: `tile.reduce_sum` needs the max over `x`, which is still to be made
#>   hint: combine the partial values first: `relayout(top, htp.layout(((64, 1, "m"),), replicate=((2, 1, "x"),)))`

#: parts are added up in one loop and combined on one way only
@kernel
def k(a: In[Tensor[f32, 64, 32, htp.layouts.shard((64, 32), (None, "x"), mesh={"x": 2})]], b: In[Tensor[f32, 32, 48, htp.layouts.shard((32, 48), ("x", None), mesh={"x": 2})]], y: Out[Tensor[f32, 64, 48, htp.layouts.shard((64, 48), (None, None), mesh={"x": 2})]], n: int) -> None:
    s = matmul(a[:, :], b[:, :])
    if n > 1:
        s = tile.relayout(s, htp.layouts.shard((64, 48), (None, None), mesh={"x": 2}))
    y[:, :] = s
#> 5:9 error tile.retyped: `s` is `Tile[f32, 64, 48, htp.layout(((3072, 1, 'm'),), replicate=((2, 1, 'x'),))]` here and `Tile[f32, 64, 48, htp.layout(((3072, 1, 'm'),), pending=((2, 1, 'x', 'sum'),))]` where it was first bound
#>   3:5 first bound here
#>   hint: `relayout` it, or use another name
#> 6:15 error tile.pending: `tile.store` needs the sum over `x`, which is still to be made
#>   hint: combine the partial values first: `relayout(s, htp.layout(((3072, 1, "m"),), replicate=((2, 1, "x"),)))`

#: a product of what is cut over one axis in other dimensions
@kernel
def k(a: In[Tensor[f32, 64, 32, htp.layouts.shard((64, 32), ("x", None), mesh={"x": 2})]], b: In[Tensor[f32, 32, 48, htp.layouts.shard((32, 48), ("x", None), mesh={"x": 2})]], y: Out[Tensor[f32, 64, 48]]) -> None:
    y[:, :] = matmul(a[:, :], b[:, :])
#> 3:31 error tile.not-distributed: `tile.matmul` has no result on the devices: a dimension would be cut over `x`, on which a sum is pending
#>   hint: `relayout` an operand so that both are cut alike

#: parts are made of a value
@kernel
def k(a: In[Tensor[f32, 64, 32, htp.layouts.shard((64, 32), (None, None), mesh={"x": 2})]], y: Out[Tensor[f32, 64, 32, htp.layouts.shard((64, 32), (None, None), mesh={"x": 2}, pending={"x": "sum"})]]) -> None:
    y[:, :] = tile.relayout(a[:, :], htp.layouts.shard((64, 32), (None, None), mesh={"x": 2}, pending={"x": "sum"}))
#> 3:38 error tile.no-relayout: nothing leads from the layout `htp.layout(((2048, 1, "m"),), replicate=((2, 1, "x"),))` to `htp.layout(((2048, 1, "m"),), pending=((2, 1, "x", "sum"),))`
#>   note: nothing makes a value the sum of partial values over `x`
#>   hint: name a layout of the same tensor, without `pending=` that it has not

#: the product along a dimension that is cut
@kernel
def k(a: In[Tensor[f32, 64, 32, htp.layouts.shard((64, 32), (None, "x"), mesh={"x": 2})]], y: Out[Tensor[f32, 64, 1]]) -> None:
    y[:, :] = tile.reduce_prod(a[:, :], axis=1)
#> 3:32 error tile.cut-dimension: `tile.reduce_prod` goes along dimension 1, which is cut over `x`
#>   hint: `relayout` it so that each device has all along that dimension

#: an accumulator of a product of parts that is whole
@kernel
def k(a: In[Tensor[f32, 64, 32, htp.layouts.shard((64, 32), (None, "x"), mesh={"x": 2})]], b: In[Tensor[f32, 32, 48, htp.layouts.shard((32, 48), ("x", None), mesh={"x": 2})]], y: Out[Tensor[f32, 64, 48]]) -> None:
    acc = zeros(f32, 64, 48)
    y[:, :] = matmul(a[:, :], b[:, :], acc)
#> 4:15 error tile.pending: `tile.matmul` needs the sum over `x`, which is still to be made
#>   hint: combine the partial values first: `relayout(matmul(a[:, :], b[:, :], acc), htp.layout(((3072, 1, "m"),), replicate=((2, 1, "x"),)))`

#: a bias that lies on one device, beside what is cut
@kernel
def k(x: In[Tensor[f32, 8, 64, htp.layouts.shard((8, 64), ("x", None), mesh={"x": 4})]], b: In[Tensor[f32, 1, 64, htp.layouts.shard((1, 64), (None, "x"), mesh={"x": 4})]], y: Out[Tensor[f32, 8, 64]]) -> None:
    y[:, :] = x[:, :] + b[:, :]
#> 3:25 error tile.layout-mismatch: `tile.add` expects the layout `htp.layout(((64, 1, "m"),), replicate=((4, 1, "x"),))`, got `htp.layout(((4, 1, "x"), (16, 1, "m")))`
#>   3:15 this lies as `htp.layout(((4, 1, 'x'), (128, 1, 'm')))`
#>   note: the relayout takes: all_gather over x of dimension 1 (192 bytes)
#>   hint: convert it: `relayout(b[:, :], htp.layout(((64, 1, "m"),), replicate=((4, 1, "x"),)))`

#: a product lies on other devices than where it is stored
@kernel
def k(a: In[Tensor[f32, 64, 32, htp.layouts.shard((64, 32), ("x", None), mesh={"x": 2})]], b: In[Tensor[f32, 32, 48, htp.layouts.shard((32, 48), (None, None), mesh={"x": 2})]], y: Out[Tensor[f32, 64, 48, htp.layouts.shard((64, 48), (None, "x"), mesh={"x": 2})]]) -> None:
    y[:, :] = matmul(a[:, :], b[:, :])
#> 3:15 error tile.layout-mismatch: `tile.store` expects the layout `htp.layout(((64, 24, "m"), (2, 1, "x"), (24, 1, "m")))`, got `htp.layout(((2, 1, "x"), (1536, 1, "m")))`
#>   3:5 this lies as `htp.layout(((64, 24, 'm'), (2, 1, 'x'), (24, 1, 'm')))`
#>   note: the relayout takes: all_to_all over x from dimension 0 to 1 (3072 bytes)
#>   hint: convert it: `relayout(matmul(a[:, :], b[:, :]), htp.layout(((64, 24, "m"), (2, 1, "x"), (24, 1, "m"))))`

#: what is turned is cut along the other dimension
@kernel
def k(x: In[Tensor[f32, 64, 64, htp.layouts.shard((64, 64), ("x", None), mesh={"x": 4})]], y: Out[Tensor[f32, 64, 64]]) -> None:
    y[:, :] = x[:, :] + tile.transpose(x[:, :])
#> 3:25 error tile.layout-mismatch: `tile.add` expects the layout `htp.layout(((4, 1, "x"), (1024, 1, "m")))`, got `htp.layout(((64, 16, "m"), (4, 1, "x"), (16, 1, "m")))`
#>   3:15 this lies as `htp.layout(((4, 1, 'x'), (1024, 1, 'm')))`
#>   note: the relayout takes: all_to_all over x from dimension 1 to 0 (3072 bytes)
#>   hint: convert it: `relayout(tile.transpose(x[:, :]), htp.layout(((4, 1, "x"), (1024, 1, "m"))))`

#: rows of two devices
@kernel
def k(x: In[Tensor[f32, 64, 48, htp.layouts.shard((64, 48), ("x", None), mesh={"x": 4})]], y: Out[Tensor[f32, 16, 48]]) -> None:
    y[:, :] = x[0:16, :] + x[16:32, :]
#> 3:28 error tile.layout-mismatch: `tile.add` expects the layout `htp.layout(((768, 1, "m"),))`, got `htp.layout(((768, 1, "m"),), offset={"x": 1})`
#>   3:15 this lies as `htp.layout(((768, 1, 'm'),))`
#>   note: the relayout takes: exchange (3072 bytes)
#>   hint: convert it: `relayout(x[16:32, :], htp.layout(((768, 1, "m"),)))`

#: an outer sum of what is cut over one axis twice
@kernel
def k(x: In[Tensor[f32, 64, 1, htp.layouts.shard((64, 1), ("x", None), mesh={"x": 4})]], z: In[Tensor[f32, 1, 48, htp.layouts.shard((1, 48), (None, "x"), mesh={"x": 4})]], y: Out[Tensor[f32, 64, 48]]) -> None:
    y[:, :] = x[:, :] + z[:, :]
#> 3:25 error tile.not-distributed: `tile.add` has no result on the devices: two dimensions would be cut over `x`
#>   hint: `relayout` an operand so that every device has it whole

#: a running sum along what is cut
@kernel
def k(x: In[Tensor[f32, 64, 48, htp.layouts.shard((64, 48), ("x", None), mesh={"x": 4})]], y: Out[Tensor[f32, 64, 48]]) -> None:
    y[:, :] = tile.scan_sum(x[:, :], axis=0)
#> 3:29 error tile.cut-dimension: `tile.scan_sum` goes along dimension 0, which is cut over `x`
#>   hint: `relayout` it so that each device has all along that dimension

#: the place of the largest along what is cut
@kernel
def k(x: In[Tensor[f32, 64, 48, htp.layouts.shard((64, 48), ("x", None), mesh={"x": 4})]], y: Out[Tensor[i32, 1, 48]]) -> None:
    y[:, :] = tile.argmax(x[:, :], axis=0)
#> 3:27 error tile.cut-dimension: `tile.argmax` goes along dimension 0, which is cut over `x`
#>   hint: `relayout` it so that each device has all along that dimension

#: a name lies in two ways
@kernel
def k(x: In[Tensor[f32, 8, 64, htp.layouts.shard((8, 64), ("x", None), mesh={"x": 4})]], z: In[Tensor[f32, 8, 64, htp.layouts.shard((8, 64), (None, "x"), mesh={"x": 4})]], y: Out[Tensor[f32, 8, 64]]) -> None:
    s = tile.zeros(f32, 8, 64)
    s = s + x[:, :]
    s = s + z[:, :]
    y[:, :] = s
#> 5:13 error tile.layout-mismatch: `tile.add` expects the layout `htp.layout(((4, 1, "x"), (128, 1, "m")))`, got `htp.layout(((8, 16, "m"), (4, 1, "x"), (16, 1, "m")))`
#>   5:9 this lies as `htp.layout(((4, 1, 'x'), (128, 1, 'm')))`
#>   note: the relayout takes: all_to_all over x from dimension 1 to 0 (384 bytes)
#>   hint: convert it: `relayout(z[:, :], htp.layout(((4, 1, "x"), (128, 1, "m"))))`

#: a layout as a value
@kernel
def k(x: In[Tensor[f32, 8, 64]], y: Out[Tensor[f32, 8, 64]]) -> None:
    y[:, :] = x[:, :] + htp.layout(((512, 1, "m"),))
#> 3:25 error tile.unknown-call: `htp.layout` is not an intrinsic
#>   hint: a layout stands in a type, `Tensor[f32, 8, 64, htp.layout(…)]`, or in `relayout(x, htp.layout(…))`

#: a relayout that is not imported
@kernel
def k(x: In[Tensor[f32, 8, 64]], y: Out[Tensor[f32, 8, 64]]) -> None:
    y[:, :] = relayouts(x[:, :], htp.layout(((512, 1, "m"),)))
#> 3:15 error tile.unknown-call: `relayouts` is not an intrinsic
#>   hint: did you mean `relayout`?

#: steps of another shape
@kernel
def k(x: In[Tensor[f32, M, 64, htp.layouts.strided((64, M), (N, 1))]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = x[:, :]
#> 2:32 error tile.steps-shape: the steps are of the shape `(64, M)`, and the tensor is `Tensor[f32, M, 64, htp.layouts.strided((64, M), (N, 1))]`
#>   hint: give it the extents of the tensor

#: a step that runs backwards, and one that is no dim
@kernel
def k(x: In[Tensor[f32, M, N, htp.layouts.strided((M, N), (-1, 1))]], y: Out[Tensor[f32, M, N, htp.layouts.strided((M, N), (q, 1))]]) -> None:
    y[:, :] = x[:, :]
#> 2:60 error tile.bad-step: `-1` is no step: a dim, or a number of 1 or more
#>   hint: declare a dim at module level: `S0 = htp.dim("S0")`
#> 2:125 error tile.bad-step: `q` is no step: a dim, or a number of 1 or more
#>   hint: declare a dim at module level: `S0 = htp.dim("S0")`
