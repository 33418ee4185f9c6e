#: no annotation
@kernel
def k(x, y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :]
#> 2:7 error tile.missing-annotation: the parameter `x` has no type
#>   hint: write `In[Tensor[f32, M, N]]`, or `Out`, `InOut` for what is written; a scalar is of a dtype, `f32`, or an `int`

#: a scalar is no tensor
@kernel
def k(x: f32, y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :]
#> 4:19 error tile.index-count: `x` has 1 dimensions and is indexed with 2
#>   hint: give one index for each dimension; `:` is a whole one

#: Python's float
@kernel
def k(x: float, y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x
#> 2:10 error tile.bad-annotation: `float` is not the type of a kernel's parameter
#>   hint: write `In[Tensor[f32, M, N]]`, or `Out`, `InOut` for what is written; a scalar is of a dtype, `f32`, or an `int`
#> 4:19 error tile.whole-tensor: `x` is a tensor in memory, not a tile
#>   hint: load the part that is stored: `x[…]`

#: a scalar of another dtype
@kernel
def k(x: In[Tensor[f32, M, N]], scale: f16, y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :] * scale
#> 4:29 error tile.dtype-mismatch: `tile.mul` expects f32, got f16
#>   4:19 this is f32
#>   hint: cast one side: `cast(scale, f32)`

#: a scalar that changes
@kernel
def k(x: In[Tensor[f32, M, N]], scale: f32, y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        scale = scale * 2
        y[i, :] = x[i, :] * scale
#> 4:9 error tile.shadowed: `scale` already stands for a parameter
#>   2:33 declared here
#>   hint: use another name

#: an int that changes
@kernel
def k(count: int, y: Out[Tensor[f32, M, N]]) -> None:
    count += 1
    for i in tiles(M, 8):
        y[i, :] = count
#> 3:5 error tile.shadowed: `count` already stands for a parameter
#>   2:7 declared here
#>   hint: use another name

#: deciding on a scalar
@kernel
def k(flag: bool_, y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = 0.0
    if flag:
        y[:, :] = 1.0
#> 4:8 error tile.runtime-if: `if` on a tile: `flag` holds a value for each element
#>   hint: decide by its one element: `holds(flag)`

#: a scalar as an int
@kernel
def k(count: i32, y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = 0.0
    for p in range(count):
        y[p, :] = 1.0
#> 4:20 error tile.int-expected: `count` is not an int
#>   hint: declare it `count: int`; `index(count)` is its element as an int

#: as many rows as an int says
@kernel
def k(count: int, y: Out[Tensor[f32, M, N]]) -> None:
    for p in range(count):
        y[p, :] = 1.0
#> 2:19 error tile.unwritten-output: `y` is an output, and is not written at [0, 0] when M = 1, N = 1 and count = 0
#>   4:9 written here
#>   hint: write all of it, at every size: `y[:, …] = …` is all of a dimension, `tiles` its blocks
#> 4:11 note tile.maybe-outside: index `p` may be outside dimension 0, as when M = 1, N = 1, count = 2 and p = 1
#>   hint: it is checked when the program runs

#: a row that an int says
@kernel
def k(row: int, y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = 0.0
    y[row, :] = 1.0
#> 4:7 note tile.maybe-outside: index `row` may be outside dimension 0, as when M = 1, N = 1 and row = -1
#>   hint: it is checked when the program runs

#: no direction
@kernel
def k(x: Tensor[f32, M, N], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :]
#> 2:10 error tile.bad-annotation: `Tensor[f32, M, N]` is not the type of a kernel's parameter
#>   hint: write `In[Tensor[f32, M, N]]`, or `Out`, `InOut` for what is written; a scalar is of a dtype, `f32`, or an `int`

#: a tile
@kernel
def k(x: In[Tile[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :]
#> 2:10 error tile.bad-annotation: `In[Tile[f32, M, N]]` is not the type of a kernel's parameter
#>   hint: write `In[Tensor[f32, M, N]]`, or `Out`, `InOut` for what is written; a scalar is of a dtype, `f32`, or an `int`

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
#> 2:33 error tile.never-written: `y` is an output, and nothing is stored to it
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

#: extents that are no arithmetic of dims
@kernel
def k(a: In[Tensor[f32, max(N, 4)]], b: In[Tensor[f32, "K"]], d: In[Tensor[f32, N / 4]], e: In[Tensor[f32, N // M]], x: In[Tensor[f32, N]], y: Out[Tensor[f32, M]]) -> None:
    y[:] = a[0] + b[0] + d[0] + e[0] + x[0]
#> 2:25 error tile.bad-extent: `max(N, 4)` is not an extent: an int, a dim or a block
#>   hint: an extent is made of dims and ints by `+ - * // %`, divided by an int of 1 or more; `N / 4` rounded up is `(N + 3) // 4`
#> 2:56 error tile.bad-extent: `'K'` is not an extent: an int, a dim or a block
#>   hint: declare a dim at module level and name it without quotes: `M = htp.dim("M")`
#>   hint: a memory space is written `htp.space("K")`
#> 2:81 error tile.bad-extent: `N / 4` is not an extent: an int, a dim or a block
#>   hint: an extent is made of dims and ints by `+ - * // %`, divided by an int of 1 or more; `N / 4` rounded up is `(N + 3) // 4`
#> 2:108 error tile.bad-extent: `N // M` is not an extent: an int, a dim or a block
#>   hint: an extent is made of dims and ints by `+ - * // %`, divided by an int of 1 or more; `N / 4` rounded up is `(N + 3) // 4`
