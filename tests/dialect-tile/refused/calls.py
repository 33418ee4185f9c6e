#: unknown
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        f = expp(x[i, :])
        y[i, :] = x[i, :]
#> 4:13 error tile.unknown-call: `expp` is not an intrinsic
#>   hint: did you mean `exp`?

#: unknown of the module
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        f = tile.expp(x[i, :])
        y[i, :] = x[i, :]
#> 4:13 error tile.unknown-call: `tile.expp` is not an intrinsic
#>   hint: did you mean `exp`?

#: builtin
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        f = sum(x[i, :])
        y[i, :] = x[i, :]
#> 4:13 error tile.unknown-call: `sum` is not an intrinsic
#>   hint: write `reduce_sum(x[i, :], axis=1)`

#: of other libraries: no other intrinsic is what is meant
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = tile.log2(x[i, :])
#> 4:19 error tile.unknown-call: `tile.log2` is not an intrinsic
#>   hint: write `log(x[i, :]) * 1.4426950408889634`

#: an entry that is no kernel
def helper(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :]


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    helper(x, y)
#> 8:5 error tile.local-call: `helper` is called from outside, not by a kernel
#>   1:1 defined here
#>   hint: write `@kernel` of htp_tile above it, and nothing else, or make it a plain function of tiles; a process may run a `@workload` of htp_wsp on tensors

#: tiles outside a loop
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        f = tiles(M, 8)
        y[i, :] = x[i, :]
#> 4:13 error tile.outside-loop: `tiles` stands only in the head of a loop
#>   hint: write `for i in tiles(M, 8)`

#: range outside a loop
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        f = range(8)
        y[i, :] = x[i, :]
#> 4:13 error tile.outside-loop: `range` stands only in the head of a loop
#>   hint: write `for n in range(4)`

#: missing
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        f = reduce_sum(x[i, :])
        y[i, :] = x[i, :]
#> 4:13 error tile.missing-argument: `tile.reduce_sum` needs the argument `axis`
#>   hint: `htp-host ops show` of it shows its signature

#: too many
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        f = exp(x[i, :], x[i, :])
        y[i, :] = x[i, :]
#> 4:13 error tile.too-many-arguments: `tile.exp` takes at most 1 positional arguments, not 2
#>   hint: `htp-host ops show` of it shows its signature

#: unknown keyword
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        f = reduce_sum(x[i, :], axes=1)
        y[i, :] = x[i, :]
#> 4:33 error tile.unknown-keyword: `tile.reduce_sum` has no parameter `axes`
#>   hint: did you mean `axis`?

#: twice
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        f = cast(x[i, :], f16, dtype=f16)
        y[i, :] = x[i, :]
#> 4:32 error tile.repeated-argument: `tile.cast` got the argument `dtype` twice
#>   hint: give it once

#: whole tensor
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        f = exp(x)
        y[i, :] = x[i, :]
#> 4:17 error tile.whole-tensor: `x` is a tensor in memory, not a tile
#>   hint: load a tile: `x[…]`, one index for each dimension

#: tensors added
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        f = x + x
        y[i, :] = x[i, :]
#> 4:13 error tile.whole-tensor: `x` is a tensor in memory, not a tile
#>   hint: load a tile with an index for each dimension: `x[i, :]`

#: stored tensor
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x
        y[i, :] = x[i, :]
#> 4:19 error tile.whole-tensor: `x` is a tensor in memory, not a tile
#>   hint: load the part that is stored: `x[…]`

#: int for a tile
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        f = exp(1)
        y[i, :] = x[i, :]
#> 4:17 error tile.not-a-tile: the argument `x` of `tile.exp` is not a tile: `1`
#>   hint: an int as a tile of one element: `full(f32, 1, 1, 1)`

#: literals only
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        f = maximum(1.0, 2.0)
        y[i, :] = x[i, :]
#> 4:13 error tile.not-a-tile: the argument `a` of `tile.maximum` is not a tile: `1.0`
#>   hint: an intrinsic of literals alone is a literal

#: axis not constant
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        for n in range(2):
            f = reduce_sum(x[i, :], axis=n)
        y[i, :] = x[i, :]
#> 5:42 error tile.not-constant: `axis` of `tile.reduce_sum` must be a compile-time int, not `n`
#>   hint: write an int, or a constant of the module

#: no result
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        f = store(y, x[i, :], i, tile.whole)
        y[i, :] = x[i, :]
#> 4:9 error tile.no-result: `tile.store` has no result
#>   hint: let it stand as a statement of its own

#: unused result
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        exp(x[i, :])
        y[i, :] = x[i, :]
#> 4:9 error tile.unused-result: the result of `exp(x[i, :])` is not used
#>   hint: bind it to a name, or remove the statement

#: unused expression
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        x[i, :] + 1.0
        y[i, :] = x[i, :]
#> 4:9 error tile.unused-result: the result of `x[i, :] + 1.0` is not used
#>   hint: bind it to a name, or remove the statement

#: dtype
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        f = cast(x[i, :], 32)
        y[i, :] = x[i, :]
#> 4:27 error tile.unknown-dtype: `32` is not a dtype
#>   hint: a dtype is a class of htp: `f32`

#: len of a tensor
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        for n in range(len(x)):
            pass
        y[i, :] = x[i, :]
#> 4:28 error tile.bad-extent: `x` is not an extent: an int, a dim or a block
#>   hint: `len` gives the number of indices in a block
