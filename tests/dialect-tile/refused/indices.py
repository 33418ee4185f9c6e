#: too few
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        v = x[i]
        y[i, :] = x[i, :]
#> 4:13 error tile.index-count: `x` has 2 dimensions and is indexed with 1
#>   hint: give one index for each dimension; `:` is a whole one

#: too many
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        v = x[i, :, :]
        y[i, :] = x[i, :]
#> 4:13 error tile.index-count: `x` has 2 dimensions and is indexed with 3
#>   hint: give one index for each dimension; `:` is a whole one

#: a tile
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        v = x[x[i, :], :]
        y[i, :] = x[i, :]
#> 4:15 error tile.wrong-dtype: `tile.load` takes an index of an integer dtype, not f32
#>   hint: cast it: `cast(x[i, :], i32)`

#: of a tile
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        v = x[i, :]
        w = v[0]
        y[i, :] = x[i, :]
#> 5:13 error tile.index-count: `v` has 2 dimensions and is indexed with 1
#>   hint: give one index for each dimension; `:` is a whole one

#: store to a tile
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        v = x[i, :]
        v[0] = v
        y[i, :] = x[i, :]
#> 5:9 error tile.not-indexable: `v` is not a tensor in memory
#>   hint: a tile is a value, which does not change: store to a tensor, or to a buffer, `h = buffer(f32, …)`; `where` chooses elements

#: other dim
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        v = x[:, i]
        y[i, :] = x[i, :]
#> 4:18 error tile.index-extent: `i` runs over `M`, but dimension 1 of `x` is `N`
#>   hint: loop over `tiles(N, …)` for this dimension

#: cut block of another dim
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        for j in tiles(i, 4):
            v = x[i, j]
        y[i, :] = x[i, :]
#> 5:22 error tile.index-extent: `j` runs over `M`, but dimension 1 of `x` is `N`
#>   hint: loop over `tiles(N, …)` for this dimension

#: int outside
@kernel
def k(x: In[Tensor[f32, M, 4]], y: Out[Tensor[f32, M, 4]]) -> None:
    for i in tiles(M, 8):
        v = x[i, 4]
        y[i, :] = x[i, :]
#> 4:18 error tile.index-range: index 4 is outside dimension 1 of `x`, which is 4
#>   hint: use an index that the extent has

#: negative
@kernel
def k(x: In[Tensor[f32, M, 4]], y: Out[Tensor[f32, M, 4]]) -> None:
    for i in tiles(M, 8):
        v = x[i, -5]
        y[i, :] = x[i, :]
#> 4:18 error tile.index-range: index -5 is outside dimension 1 of `x`, which is 4
#>   hint: use an index that the extent has

#: block of an int
@kernel
def k(x: In[Tensor[f32, M, 4]], y: Out[Tensor[f32, M, 4]]) -> None:
    for i in tiles(M, 8):
        for j in tiles(8, 4):
            v = x[i, j]
        y[i, :] = x[i, :]
#> 5:22 error tile.index-extent: `j` runs over `8`, but dimension 1 of `x` is `4`
#>   hint: loop over `tiles(4, …)` for this dimension

#: by a string
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        v = x["i", :]
        y[i, :] = x[i, :]
#> 4:15 error tile.bad-index: `'i'` cannot index a dimension
#>   hint: use a block, `:`, an int or a tile of integers

#: slices that begin before the begin
@kernel
def k(x: In[Tensor[f32, M, 4]], y: Out[Tensor[f32, M, 4]]) -> None:
    for i in tiles(M, 8):
        v = x[i, :]
        y[i, :] = v[:, -5:-1]
#> 5:24 error tile.index-range: index -5 is outside dimension 1 of `v`, which is 4
#>   hint: use an index that the extent has

#: a block of a tile's block
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        v = x[i, :]
        for j in tiles(i, 4):
            y[j, :] = v[j, :]
#> 6:25 error tile.index-extent: `j` runs over `M`, but dimension 0 of `v` is `i`
#>   hint: a tile's indices count from 0: load the block that is needed, or store the tile to a buffer, whose dimension has the indices of `i`

#: a part of a block that is as long as the block
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        v = x[i, :]
        y[i, :] = v[1:, :]
#> 5:21 error tile.bad-extent: `len(i) - 1` is not an extent: an int, a dim or a block
#>   hint: bind what is computed to a name on a line before, `length = …`, and use that

#: a tile stored to
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    v = x[:, :]
    v[0, :] = 0.0
    y[:, :] = v
#> 4:5 error tile.not-indexable: `v` is not a tensor in memory
#>   hint: a tile is a value, which does not change: store to a tensor, or to a buffer, `h = buffer(f32, …)`; `where` chooses elements

#: a load of a tile
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    v = x[:, :]
    y[:, :] = load(v, whole, whole)
#> 4:20 error tile.not-indexable: `v` is not a tensor in memory
#>   hint: a tile is indexed as it is: `v[…]`

#: two ellipses
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = x[..., ...]
#> 3:22 error tile.bad-index: `...` cannot index a dimension
#>   hint: `...` stands once: for the others write `:`

#: a step of 0
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    v = x[:, :]
    y[:, :] = v[::0, :]
#> 4:19 error tile.slice-step: a slice with a step of 0 goes nowhere
#>   hint: step by 1 or more, or by -1 or less to go down

#: down, and at a tile's elements
@kernel
def k(x: In[Tensor[f32, M, N]], r: In[Tensor[i32, M]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = x[r[:], ::-1]
#> 3:23 error tile.bad-index: `slice(N - 1, None, -1)` cannot index a dimension
#>   hint: turn the tile: `v[::-1]`, one index for each dimension

#: a slice as long as an int, of a target that has sizes alone
@kernel
def k(x: In[Tensor[f32, M, N]], n: int, y: InOut[Tensor[f32, M, N]]) -> None:
    y[:, 0] = reduce_sum(x[:, :n], axis=1)
    y[:, :n] = zeros(f32, M, n)
#> 3:31 error tile.run-time-extent: the extent `n` is known only when the program runs, and test has tiles of sizes and blocks alone
#>   hint: take the whole dimension, and choose: `where(iota(i32, 1, N, axis=1) < n, x[:, :], 0)`
#> 4:30 error tile.run-time-extent: the extent `n` is known only when the program runs, and test has tiles of sizes and blocks alone
#>   hint: take the largest extent that there can be, a dim or an int, and choose elements with `where`

#: a slice as long as an int that changes
@kernel
def k(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    n = 1
    for p in range(3):
        y[:, n:N] = x[:, n:N]
        n += 1
#> 5:26 error tile.changing-extent: `N - n` is an extent here, and `n` is bound more than once
#>   3:5 bound here
#>   6:9 bound here
#>   hint: give it a name of its own before, `length = n`, and use that as the extent

#: blocks of an int, of a target that has sizes alone
@kernel
def k(x: In[Tensor[f32, M, N]], n: int, y: InOut[Tensor[f32, M, N]]) -> None:
    for j in tiles(n, 8):
        y[j, :] = x[j, :]
#> 3:20 error tile.run-time-extent: the extent `n` is known only when the program runs, and test has tiles of sizes and blocks alone
#>   hint: take the largest extent that there can be, a dim or an int, and choose elements with `where`
