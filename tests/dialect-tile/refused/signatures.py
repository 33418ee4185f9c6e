#: no annotation
@kernel
def k(x, y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :]
#> 2:7 error tile.missing-annotation: the parameter `x` has no type
#>   hint: write `In[Tensor[f32, M, N]]`, or `Out`, `InOut` for what is written

#: not a type
@kernel
def k(x: f32, y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :]
#> 2:10 error tile.bad-annotation: `f32` is not the type of a kernel's parameter
#>   hint: write `In[Tensor[f32, M, N]]`, or `Out`, `InOut` for what is written

#: no direction
@kernel
def k(x: Tensor[f32, M, N], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :]
#> 2:10 error tile.bad-annotation: `Tensor[f32, M, N]` is not the type of a kernel's parameter
#>   hint: write `In[Tensor[f32, M, N]]`, or `Out`, `InOut` for what is written

#: a tile
@kernel
def k(x: In[Tile[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :]
#> 2:10 error tile.bad-annotation: `In[Tile[f32, M, N]]` is not the type of a kernel's parameter
#>   hint: write `In[Tensor[f32, M, N]]`, or `Out`, `InOut` for what is written

#: dtype
@kernel
def k(x: In[Tensor[float, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :]
#> 2:20 error tile.unknown-dtype: `float` is not a dtype
#>   hint: the dtypes are `bool_`, `i8` to `i64`, `u8` to `u64`, `f8e4m3`, `f8e5m2`, `f16`, `bf16`, `f32` and `f64` of htp

#: extent
@kernel
def k(x: In[Tensor[f32, M, L]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :]
#> 2:28 error tile.bad-extent: `L` is not an extent: an int, a dim or a block
#>   hint: declare a dim at module level: `M = htp.dim("M")`

#: default
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]] = None) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :]
#> 2:61 error tile.bad-parameter: a kernel's parameters are positional and without defaults, not `= None`
#>   hint: pass a tensor for it, or make it a constant of the module (`--set` changes it)

#: star
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]], *rest) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :]
#> 2:61 error tile.bad-parameter: a kernel's parameters are positional and without defaults, not `rest`
#>   hint: pass a tensor for it, or make it a constant of the module (`--set` changes it)

#: keyword only
@kernel
def k(x: In[Tensor[f32, M, N]], *, y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :]
#> 2:36 error tile.bad-parameter: a kernel's parameters are positional and without defaults, not `y`
#>   hint: pass a tensor for it, or make it a constant of the module (`--set` changes it)

#: returns
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> f32:
    for i in tiles(M, 8):
        y[i, :] = x[i, :]
#> 2:63 error tile.bad-return: a kernel returns nothing
#>   hint: annotate `-> None` and write to an `Out` parameter

#: return
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :]
    return y
#> 5:5 error tile.bad-return: a kernel returns nothing
#>   hint: write results to an `Out` parameter, and leave `return` out

#: unwritten output
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        v = x[i, :]
#> 2:33 error tile.unwritten-output: `y` is an output and is never written
#>   hint: write it: `y[…] = …`

#: written input
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        x[i, :] = x[i, :]
        y[i, :] = x[i, :]
#> 4:9 error tile.written-input: `x` is an input and is written here
#>   2:7 declared `In` here
#>   hint: declare it `Out[…]` or `InOut[…]`

#: read output
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        v = y[i, :]
        y[i, :] = x[i, :]
#> 4:13 error tile.read-output: `y` is an output and is read here
#>   2:33 declared `Out` here
#>   hint: declare it `InOut[…]`

#: not a kernel
def k(x):
    return x
#> 1:1 error tile.no-kernel: `k` is not a `@kernel`
#>   hint: decorate it with `@kernel` of htp_tile
