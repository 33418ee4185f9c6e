#: columns
@kernel
def k(x: In[Tensor[f32, 8, 64, htp.layouts.ordered((8, 64), (1, 0))]], y: Out[Tensor[f32, 8, 64]]) -> None:
    y[:, :] = tile.relayout(x[:, :], htp.layouts.ordered((8, 64), (0, 1)))
#> 2:32 error tile.unsupported-layout: `x` lies as `htp.layout(((8, 1, "m"), (64, 8, "m")))`, and test takes parameters row-major
#>   hint: leave the layout out, and give an array that lies row-major: `numpy.ascontiguousarray(…)`

#: registers
@kernel
def k(x: In[Tensor[f32, 8, 64, htp.layout(((8, 1, "register"), (64, 1, "m")))]], y: Out[Tensor[f32, 8, 64]]) -> None:
    y[:, :] = x[:, :] * 2.0
#> 2:32 error tile.unsupported-layout: `x` lies as `htp.layout(((8, 1, "register"), (64, 1, "m")))`, and test takes parameters row-major
#>   hint: leave the layout out, and give an array that lies row-major: `numpy.ascontiguousarray(…)`

#: spread over cores
@kernel
def k(x: In[Tensor[f32, 8, 64, htp.layouts.shard((8, 64), ("core", None), mesh={"core": 4})]], y: Out[Tensor[f32, 8, 64]]) -> None:
    y[:, :] = x[:, :] * 2.0
#> 2:32 error tile.level-layout: `x` is spread over the level `core`, and test distributes by loops alone
#>   hint: leave the layout out, and write `htp.parallel(tiles(…), level="core")` for a loop over blocks

#: led to the lanes of a vector
@kernel
def k(x: In[Tensor[f32, 8, 64]], y: Out[Tensor[f32, 8, 64]]) -> None:
    y[:, :] = tile.relayout(x[:, :], htp.layouts.shard((8, 64), (None, "lane"), mesh={"lane": 16}))
#> 3:38 error tile.level-layout: `x_tile` is spread over the level `lane`, and test distributes by loops alone
#>   hint: leave the layout out, and write `htp.parallel(tiles(…), level="core")` for a loop over blocks

#: spread over devices
@kernel
def k(x: In[Tensor[f32, 8, 64, htp.layouts.shard((8, 64), ("x", None), mesh={"x": 4})]], y: Out[Tensor[f32, 8, 64, htp.layouts.shard((8, 64), ("x", None), mesh={"x": 4})]]) -> None:
    y[:, :] = x[:, :] * 2.0
#> 2:32 note tile.one-device: `x` is spread over `x`, and test is one device, which holds all of it
#>   2:116 and this
#>   hint: nothing is to be done; arrays are given whole, row-major

#: each device's slice in columns
@kernel
def k(x: In[Tensor[f32, 8, 64, htp.layout(((4, 1, "x"), (2, 1, "m"), (64, 2, "m")))]], y: Out[Tensor[f32, 8, 64]]) -> None:
    y[:, :] = x[:, :] * 2.0
#> 2:32 error tile.unsupported-layout: `x` lies as `htp.layout(((4, 1, "x"), (2, 1, "m"), (64, 2, "m")))`, and test takes parameters row-major
#>   hint: leave the layout out, and give an array that lies row-major: `numpy.ascontiguousarray(…)`

#: a tile in blocks
@kernel
def k(x: In[Tensor[f32, 8, 64]], y: Out[Tensor[f32, 8, 64]]) -> None:
    t: Tile[f32, 8, 64, htp.layouts.packed((8, 64), (8, 8), (0, 1), (0, 1))] = x[:, :] * 2.0
    y[:, :] = t
#> 3:25 error tile.tile-layout: nothing lies as `htp.layouts.packed((8, 64), (8, 8), (0, 1), (0, 1))` says here: test computes tiles where its loops and cores want them
#>   hint: give the layout to a parameter, or `relayout` the value where two layouts meet

#: a tile that is spread over devices
@kernel
def k(x: In[Tensor[f32, 8, 64]], y: Out[Tensor[f32, 8, 64]]) -> None:
    t: Tile[f32, 8, 64, htp.layouts.shard((8, 64), ("x", None), mesh={"x": 4})] = x[:, :] * 2.0
    y[:, :] = t
#> 3:8 note tile.one-device: `t` is spread over `x`, and test is one device, which holds all of it
#>   hint: nothing is to be done; arrays are given whole, row-major

#: a layout of a name that is none
@kernel
def k(x: In[Tensor[f32, 8, 64]], y: Out[Tensor[f32, 8, 64]]) -> None:
    t: Tile[f32, 8, 64, htp.layouts.rows(8, 64)] = x[:, :] * 2.0
    y[:, :] = t
#> 3:25 error tile.bad-layout: `htp.layouts.rows(8, 64)` is no layout: `htp.layouts.rows` is no constructor of layouts
#>   hint: for instance `htp.layouts.ordered((64, 64), (0, 1))`, which is row-major

#: a buffer in columns
@kernel
def k(x: In[Tensor[f32, 8, 64]], y: Out[Tensor[f32, 8, 64]]) -> None:
    h: Tensor[f32, 8, 64, htp.layouts.ordered((8, 64), (1, 0))] = buffer(f32, 8, 64)
    h[:, :] = exp(x[:, :])
    y[:, :] = h[:, :]
#> 3:8 error tile.unsupported-layout: `h` lies as `htp.layout(((8, 1, "m"), (64, 8, "m")))`, and test takes buffers row-major
#>   hint: leave the layout out: a buffer is the kernel's own

#: a hint of a function
def twice(a: Tile[f32, 8, 64, htp.space("stack")]) -> Tile[f32, 8, 64, htp.layouts.ordered((8, 64), (1, 0))]:
    return a * 2.0

@kernel
def k(x: In[Tensor[f32, 8, 64]], y: Out[Tensor[f32, 8, 64]]) -> None:
    y[:, :] = twice(x[:, :])
#> 1:31 error tile.local-placement: a hint of the function `twice` says `htp.space('stack')`
#>   hint: leave it out of the hint, and give it to a name's type: `a: Tile[f32, i, N, …] = …`
#> 1:72 error tile.local-placement: a hint of the function `twice` says `htp.layouts.ordered((8, 64), (1, 0))`
#>   hint: leave it out of the hint, and give it to a name's type: `a: Tile[f32, i, N, …] = …`

#: spaces that are none
@kernel
def k(x: In[Tensor[f32, M, 64, htp.space("L9")]], y: Out[Tensor[f32, M, 64]]) -> None:
    for i in tiles(M, 8):
        t: Tile[f32, i, 64, htp.space("ub")] = exp(x[i, :])
        y[i, :] = t
#> 2:32 error tile.unknown-space: the target `test` has no memory space `L9`
#>   hint: it has: `memory`, `stack`
#> 4:29 error tile.unknown-space: the target `test` has no memory space `ub`
#>   hint: it has: `memory`, `stack`

#: spaces of other things
@kernel
def k(x: In[Tensor[f32, M, 64, htp.space("stack")]], y: Out[Tensor[f32, M, 64]]) -> None:
    for i in tiles(M, 8):
        t: Tile[f32, i, 64, htp.space("memory")] = exp(x[i, :])
        y[i, :] = t
#> 2:32 error tile.space-of: `x` is a parameter, and a program for test puts none in `stack`
#>   hint: parameters may lie in `memory`
#> 4:29 error tile.space-of: `t` is a tile, and a program for test puts none in `memory`
#>   hint: leave the space out: the target chooses it

#: a buffer of a size that is not known
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        h: Tensor[f32, i, N, htp.space("stack")] = buffer(f32, i, N)
        h[i, :] = exp(x[i, :])
        y[i, :] = h[i, :]
#> 4:30 error tile.space-size: `h` has no size that is known when it is compiled, and `stack` has 4096 bytes
#>   hint: loop over blocks, `tiles(N, 64)`, and hold one block of each dimension, or leave the space out

#: buffers that are too large together
@kernel
def k(x: In[Tensor[f32, M, 64, htp.space("memory")]], y: Out[Tensor[f32, M, 64]]) -> None:
    for i in tiles(M, 8):
        h: Tensor[f32, i, 64, htp.space("stack")] = buffer(f32, i, 64)
        g: Tensor[f32, i, 64, htp.space("stack")] = buffer(f32, i, 64)
        f: Tensor[f32, i, 64, htp.space("stack")] = buffer(f32, i, 64)
        h[i, :] = exp(x[i, :])
        g[i, :] = exp(h[i, :])
        f[i, :] = exp(g[i, :])
        y[i, :] = f[i, :]
#> 6:31 error tile.space-full: `f` takes 2048 bytes of `stack`, which has 4096, and 4096 of them are taken before
#>   hint: make the blocks smaller, or use another space

#: steps that only a call says
@kernel
def k(x: In[Tensor[f32, M, N, htp.layouts.strided((M, N), (K, 1))]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = x[:, :] * 2.0
#> 2:31 error tile.unsupported-layout: `x` lies as `htp.layouts.strided((M, N), (K, 1))`, and test takes parameters whose steps are numbers
#>   hint: give the dims their values when it is compiled: `--set`
