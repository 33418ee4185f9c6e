#: bound twice
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, N)
    h = buffer(f32, M, N)
    h[:, :] = x[:, :]
    y[:, :] = h[:, :]
#> 4:5 error tile.buffer-rebound: the buffer `h` is bound more than once
#>   3:5 bound here first
#>   hint: give each buffer a name of its own

#: computed with
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, N)
    h[:, :] = x[:, :]
    y[:, :] = h + x[:, :]
#> 5:15 error tile.whole-tensor: `h` is a tensor in memory, not a tile
#>   hint: load a tile with an index for each dimension: `x[i, :]`

#: a second name
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, N)
    g = h
    g[:, :] = x[:, :]
    y[:, :] = g[:, :]
#> 4:5 error tile.no-second-name: a tensor gets no second name
#>   hint: use the name it has

#: indexed by a block of something else
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        h = buffer(f32, i, N)
        for j in tiles(M, 8):
            h[j, :] = x[j, :]
        y[i, :] = h[i, :]
#> 6:15 error tile.index-extent: `j` runs over `M`, but dimension 0 of `h` is `i`
#>   hint: loop over `tiles(i, …)` for this dimension

#: indexed by the block around
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        for j in tiles(i, 4):
            h = buffer(f32, j, N)
            h[i, :] = x[i, :]
            y[j, :] = h[j, :]
#> 6:15 error tile.index-extent: `i` runs over `M`, but dimension 0 of `h` is `j`
#>   hint: loop over `tiles(j, …)` for this dimension

#: too few indices
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, N)
    h[:] = x[:, :]
    y[:, :] = h[:, :]
#> 4:5 error tile.index-count: `h` has 2 dimensions and is indexed with 1
#>   hint: give one index for each dimension; `:` is a whole one

#: not of a dtype
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(M, N)
    h[:] = x[:, :]
    y[:, :] = h[:, :]
#> 3:16 error tile.unknown-dtype: `M` is not a dtype
#>   hint: a dtype is a class of htp: `f32`

#: a dtype of its own
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f16, M, N)
    h[:, :] = x[:, :]
    y[:, :] = h[:, :]
#> 4:15 error tile.dtype-mismatch: `tile.store` expects f16, got f32
#>   hint: cast it: `cast(x[:, :], f16)`
#> 5:15 error tile.dtype-mismatch: `tile.store` expects f32, got f16
#>   hint: cast it: `cast(h[:, :], f32)`

#: shared by the iterations of a parallel loop
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, 1, N)
    for p in htp.parallel(range(M)):
        h[:, :] = x[p, :]
        y[p, :] = h[:, :]
#> 4:5 error tile.dependent-iterations: iterations of the parallel loop `p` depend on each other: they may write the same place of `h`
#>   5:9 written here
#>   hint: index it with `p`, or leave `htp.parallel` out

#: read, and nothing is in it
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        h = buffer(f32, i, N)
        y[i, :] = x[i, :] + h[i, :]
#> 5:29 error tile.empty-buffer: `h` is a buffer that nothing is stored to
#>   4:9 made here
#>   hint: store to it first: `h[…] = …`
