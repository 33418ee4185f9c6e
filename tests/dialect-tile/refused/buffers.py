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
#>   hint: cast it: `cast(x[:, :], f16)` rounds; or store to a tensor of f32
#> 5:15 error tile.dtype-mismatch: `tile.store` expects f32, got f16
#>   hint: cast it: `cast(h[:, :], f32)`

#: shared by the iterations of a parallel loop
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, 1, N)
    for p in htp.parallel(range(M)):
        h[:, :] = x[p, :]
        y[p, :] = h[:, :]
#> 4:5 error tile.same-element: two iterations of the parallel loop `p` write the same element of `h`, as `p = 0` and `p = 1` meet at `h[0, 0]` when M = 2, N = 1
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

#: one column of it is stored
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, N)
    for i in tiles(M, 8):
        h[i, 0] = x[i, 0]
    y[:, :] = h[:, :]
#> 6:15 error tile.unwritten-buffer: `h` is read here at [0, 1], where nothing was stored before when M = 1, N = 2
#>   3:5 made here
#>   5:9 stored here
#>   hint: store to all that is read, at every size and on each way here: `h[:, …] = 0.0` before the rest

#: stored in some iterations
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for t in range(M):
        h = buffer(f32, 1, N)
        if t % 2 == 0:
            h[:, :] = x[t, :]
        y[t, :] = h[:, :]
#> 7:19 error tile.unwritten-buffer: `h` is read here at [0, 0], where nothing was stored before when M = 2, N = 1
#>   4:9 made here
#>   6:13 stored here
#>   hint: store to all that is read, at every size and on each way here: `h[:, …] = 0.0` before the rest

#: read before the iteration that stores it
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, N)
    for t in range(M - 1, -1, -1):
        y[t, :] = h[0, :]
        h[t, :] = x[t, :]
#> 5:19 error tile.unwritten-buffer: `h` is read here at [0, 0], where nothing was stored before when M = 1, N = 1
#>   3:5 made here
#>   hint: store to all that is read, at every size and on each way here: `h[:, …] = 0.0` before the rest

#: stored where data says
@kernel
def k(p: In[Tensor[i32, M]], x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, N)
    for t in range(M):
        h[index(p[t]), :] = x[t, :]
    y[:, :] = h[:, :]
#> 6:15 warning tile.maybe-unwritten-buffer: that all of `h` that is read here was stored before was not shown
#>   3:5 made here
#>   5:9 stored here
#>   5:11 not known for all sizes: which index this is
#>   hint: store to all of it first: `h[:, …] = 0.0`

#: stored while data says
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, N)
    n = 0
    while n < M and holds(reduce_any(x[0, :] > 0.0, axis=1)):
        h[n, :] = x[n, :]
        n += 1
    y[:, :] = h[:, :]
#> 6:21 note tile.not-affine: index `n` was not shown to be inside dimension 0: it is not affine in the sizes and loops
#>   hint: it is checked when the program runs
#> 8:15 warning tile.maybe-unwritten-buffer: that all of `h` that is read here was stored before was not shown
#>   3:5 made here
#>   6:9 stored here
#>   6:11 not known for all sizes: which index this is
#>   hint: store to all of it first: `h[:, …] = 0.0`
