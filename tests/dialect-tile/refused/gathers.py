#: index of many elements
@kernel
def k(x: In[Tensor[i32, M, N]], y: Out[Tensor[i32, M, N]]) -> None:
    for i in tiles(M, 8):
        p = index(x[i, 0])
        y[i, :] = x[i, :]
#> 4:19 error tile.one-element: `tile.index` takes a tile of one element, not `Tile[i32, i, 1]`
#>   hint: load one element by ints: `index(table[b, p])`

#: index of a float
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        p = index(x[0, 0]) + 1
        y[i, :] = x[i, :]
#> 4:19 error tile.wrong-dtype: `tile.index` takes an integer dtype, not f32
#>   hint: cast it: `cast(x[0, 0], i32)`

#: index of an int
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for n in range(M):
        y[index(n), :] = x[n, :]
#> 4:17 error tile.not-a-tile: the argument `x` of `tile.index` is not a tile: `n`
#>   hint: load a tile (`x[i, :]`), or make one with `full` or `zeros`

#: tile of floats as an index
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = load(x, reduce_sum(x[i, 0], axis=1), whole)
#> 4:27 error tile.wrong-dtype: `tile.load` takes an index of an integer dtype, not f32
#>   hint: cast it: `cast(reduce_sum(x[i, 0], axis=1), i32)`

#: two tiles as indices
@kernel
def k(x: In[Tensor[f32, M, N]], n: In[Tensor[i32, M]], y: Out[Tensor[f32, M, M]]) -> None:
    for i in tiles(M, 8):
        rows = n[i]
        y[i, i] = x[rows, rows]
#> 5:27 error tile.many-tiles: `x` is indexed by more than one tile
#>   5:21 this is one
#>   hint: load along one dimension by a tile, and `gather` from what was loaded along the other

#: rows of another length
@kernel
def k(x: In[Tensor[f32, M, N]], n: In[Tensor[i32, M]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[:, :] = x[n[i], :]
#> 4:19 error tile.shape-mismatch: extents `M` and `i` differ at dimension 0 of `tile.store`
#>   hint: the index selects `M, N`, the value has `i, N`

#: scatter to an output
@kernel
def k(x: In[Tensor[f32, M, N]], n: In[Tensor[i32, M]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        scatter_add(y, x[i, :], n[i], whole)
#> 4:21 error tile.read-output: `y` is an output and is read here
#>   2:56 declared `Out` here
#>   hint: declare it `InOut[…]`

#: scatter of another dtype
@kernel
def k(x: In[Tensor[f32, M, N]], n: In[Tensor[i32, M]], y: InOut[Tensor[f16, M, N]]) -> None:
    for i in tiles(M, 8):
        scatter_add(y, x[i, :], n[i], whole)
#> 4:24 error tile.dtype-mismatch: `tile.scatter_add` expects f16, got f32
#>   hint: cast it: `cast(x[i, :], f16)` rounds; or store to a tensor of f32

#: scatter into masks
@kernel
def k(x: In[Tensor[bool_, M, N]], n: In[Tensor[i32, M]], y: InOut[Tensor[bool_, M, N]]) -> None:
    for i in tiles(M, 8):
        scatter_add(y, x[i, :], n[i], whole)
#> 4:21 error tile.wrong-dtype: `tile.scatter_add` takes a number, not bool_
#>   hint: cast it: `cast(y, f32)`

#: scatter in a parallel loop
@kernel
def k(x: In[Tensor[f32, M, N]], n: In[Tensor[i32, M]], y: InOut[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(tiles(M, 8)):
        y[n[i], :] = x[i, :]
#> 3:5 warning tile.maybe-dependent-iterations: the parallel loop `i` runs in order: that no two iterations touch the same element of `y` was not shown
#>   4:9 written here
#>   4:11 not known for all sizes: what this stands for
#>   hint: `k.races(…)` says under plain Python which iterations of a call meet
#>   hint: index with `i`, or leave `htp.parallel` out
#> 4:11 note tile.not-affine: index `n[i]` was not shown to be inside dimension 0: it is not affine in the sizes and loops
#>   hint: it is checked when the program runs

#: gather by floats
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = gather(x[i, :], x[i, :], axis=1)
#> 4:35 error tile.wrong-dtype: `tile.gather` takes an integer dtype, not f32
#>   hint: cast it: `cast(x[i, :], i32)`

#: gather along another axis
@kernel
def k(x: In[Tensor[f32, M, N]], n: In[Tensor[i32, M, K]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = gather(x[i, :], n[i, :], axis=0)
#> 4:35 error tile.shape-mismatch: extents `N` and `K` differ at dimension 1 of `tile.gather`
#>   hint: index both operands with the same block, or make one extent 1

#: gather by fewer dimensions
@kernel
def k(x: In[Tensor[f32, M, N]], n: In[Tensor[i32, M]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = gather(x[i, :], n[i], axis=0)
#> 4:35 error tile.rank-mismatch: `tile.gather` needs tiles of 2 dimensions, not `Tile[i32, i]`
#>   hint: it needs one for each dimension: `reshape(n[i], i, 1)`

#: what is outside in another dtype
@kernel
def k(x: In[Tensor[i32, M, N]], y: Out[Tensor[i32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = load(x, i - 1, whole, outside=0.5)
#> 4:49 error tile.literal-dtype: the literal 0.5 is not a value of i32
#>   hint: write an int in the range of i32

#: what is outside as a tile
@kernel
def k(x: In[Tensor[i32, M, N]], y: Out[Tensor[i32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = load(x, i - 1, whole, outside=x[0, 0])
#> 4:49 error tile.not-literal: `outside` of `tile.load` must be known when compiling, not `x[0, 0]`
#>   hint: write a number, or a constant of the module

#: a block that is moved as an extent
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = zeros(f32, i + 1, N)
#> 4:30 error tile.bad-extent: `i + 1` is not an extent: an int, a dim or a block
#>   hint: name a dim (`M = htp.dim("M")`), a block of an outer loop or an int of 1 or more

#: a block that is moved and cut
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        for j in tiles(i + 1, 2):
            y[j, :] = x[j, :]
#> 4:24 error tile.bad-extent: `i + 1` is not an extent: an int, a dim or a block
#>   hint: name a dim (`M = htp.dim("M")`), a block of an outer loop or an int of 1 or more

#: a block spread by nothing
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i * 0, :]
#> 4:25 error tile.bad-spread: a block is spread by 1 or more, not by 0
#>   hint: spread it by 1 or more

#: a block spread by a dim
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i * N, :]
#> 4:25 error tile.not-constant: what a block is spread by must be a compile-time int, not `N`
#>   hint: write an int, or a constant of the module

#: a block turned around
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[7 - i, :]
#> 4:25 error tile.int-expected: `i` is not an int
#>   hint: ints are literals, dims, `len(block)`, loop variables of `range` and arithmetic over them

#: two blocks added
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i + i, :]
#> 4:21 error tile.int-expected: `i` is not an int
#>   hint: ints are literals, dims, `len(block)`, loop variables of `range` and arithmetic over them

#: a block that is moved and named
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        after = i + 1
        y[i, :] = x[after, :]
#> 4:9 error tile.no-second-name: the block of a loop gets no second name
#>   hint: use the name it has

#: more of the largest than there are
@kernel
def k(x: In[Tensor[f32, M, 4]], y: Out[Tensor[f32, M, 5]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = topk(x[i, :], 5, axis=1)
#> 4:33 error tile.bad-count: `tile.topk` cannot take 5 of 4 elements
#>   hint: take at least 1, and no more than there are

#: none of the largest
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[i32, M, 1]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = argtopk(x[i, :], SIZE - 8, axis=1)
#> 4:36 error tile.bad-count: `tile.argtopk` cannot take 0 of N elements
#>   hint: take at least 1, and no more than there are

#: as many of the largest as there are rows
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[i32, M, 1]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = argtopk(x[i, :], M, axis=1)
#> 4:36 error tile.not-constant: `k` of `tile.argtopk` must be a compile-time int, not `M`
#>   hint: write an int, or a constant of the module

#: sort of masks
@kernel
def k(x: In[Tensor[bool_, M, N]], y: Out[Tensor[bool_, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = sort(x[i, :], axis=1)
#> 4:24 error tile.wrong-dtype: `tile.sort` takes a number, not bool_
#>   hint: cast it: `cast(x[i, :], f32)`

#: sort without an axis
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = sort(x[i, :])
#> 4:19 error tile.missing-argument: `tile.sort` needs the argument `axis`
#>   hint: `htp-host ops show` of it shows its signature

#: sort in a direction that changes
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for n in range(M):
        y[n, :] = sort(x[n, :], axis=1, descending=n)
#> 4:52 error tile.not-literal: `descending` of `tile.sort` must be known when compiling, not `n`
#>   hint: write `True` or `False`

#: places stored as values
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = argsort(x[i, :], axis=1)
#> 4:19 error tile.dtype-mismatch: `tile.store` expects f32, got i32
#>   hint: cast it: `cast(argsort(x[i, :], axis=1), f32)` rounds large ones; or store to a tensor of i32

#: a float that is filled in from a tile
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = full(f32, x[i, :], i, N)
#> 4:29 error tile.not-literal: `value` of `tile.full` must be known when compiling, not `x[i, :]`
#>   hint: write a number, or an int

#: sort in a direction that is a number
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = sort(x[i, :], axis=1, descending=1)
#> 4:52 error tile.literal-dtype: the literal 1 is not a bool_
#>   hint: cast the tile, or write another literal
