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
#> 5:13 error tile.not-indexable: `v` is not a tensor and has no index
#>   hint: of a tile that is `gather(v, full(i32, 0, 1), axis=0)`; or index the tensor it was loaded from

#: store to a tile
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        v = x[i, :]
        v[0] = v
        y[i, :] = x[i, :]
#> 5:9 error tile.not-indexable: `v` is not a tensor and has no index
#>   hint: index the tensor it was loaded from

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
#>   hint: use an index from 0 to one less than the extent

#: negative
@kernel
def k(x: In[Tensor[f32, M, 4]], y: Out[Tensor[f32, M, 4]]) -> None:
    for i in tiles(M, 8):
        v = x[i, -1]
        y[i, :] = x[i, :]
#> 4:18 error tile.index-range: index -1 is outside dimension 1 of `x`, which is 4
#>   hint: use an index from 0 to one less than the extent

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

#: a column of a tile that was computed
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, 1]]) -> None:
    for i in tiles(M, 8):
        best = topk(x[i, :], 2, axis=1)
        y[i, :] = best[:, 1] - best[:, 0:1]
#> 5:19 error tile.not-indexable: `best` is not a tensor and has no index
#>   hint: of a tile that is `gather(best, full(i32, 1, 1, 1), axis=1)`; or index the tensor it was loaded from
#> 5:32 error tile.not-indexable: `best` is not a tensor and has no index
#>   hint: index the tensor it was loaded from, or store it to a buffer, which has an index: `h = buffer(f32, …)`, `h[…] = best`
