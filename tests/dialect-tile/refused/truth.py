#: if on a tile
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        if x[i, :] > 0:
            pass
        y[i, :] = x[i, :]
#> 4:12 error tile.runtime-if: `if` on a tile: `x[i, :] > 0` holds a value for each element
#>   hint: choose for each element: `where(x[i, :] > 0, …, …)`

#: if on a mask
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        v = x[i, :]
        if v > 0 and v < 1:
            pass
        y[i, :] = x[i, :]
#> 5:12 error tile.runtime-if: `if` on a tile: `v > 0` holds a value for each element
#>   hint: choose for each element: `where(v > 0, …, …)`
#> 5:22 error tile.runtime-if: `if` on a tile: `v < 1` holds a value for each element
#>   hint: choose for each element: `where(v < 1, …, …)`

#: and
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        v = x[i, :]
        f = v > 0 and v < 1
        y[i, :] = x[i, :]
#> 5:13 error tile.boolean-operator: `and` on tiles would ask for one truth value of many elements
#>   hint: combine masks with `&`

#: not
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        v = x[i, :]
        f = not v
        y[i, :] = x[i, :]
#> 5:13 error tile.boolean-operator: `not` on tiles would ask for one truth value of many elements
#>   hint: write `~mask`

#: chained compare
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        v = x[i, :]
        f = 0 < v < 1
        y[i, :] = x[i, :]
#> 5:13 error tile.chained-compare: a chained comparison of tiles hides an `and`
#>   hint: compare twice and combine the masks: `(a < b) & (b < c)`

#: no operator
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        v = x[i, :]
        f = v % 2.0
        y[i, :] = x[i, :]
#> 5:13 error tile.wrong-dtype: `tile.mod` takes an integer dtype, not f32
#>   hint: of floats: `v - floor(v / 2.0) * 2.0`

#: no unary operator
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        v = x[i, :]
        f = ~v
        y[i, :] = x[i, :]
#> 5:14 error tile.wrong-dtype: `tile.bit_not` takes an integer dtype or bool_, not f32
#>   hint: cast it: `cast(v, i32)`

#: min of tiles
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        v = x[i, :]
        f = min(v, v)
        y[i, :] = x[i, :]
#> 5:13 error tile.builtin-on-tile: `min` compares ints, but `v` is a tile
#>   hint: use `minimum` or `reduce_min`

#: block in arithmetic
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        v = x[i, :]
        f = v + i
        y[i, :] = x[i, :]
#> 5:13 error tile.mixed-operands: `v + i` combines a tile with the block of a loop
#>   5:17 this is the block of a loop
#>   hint: keep one side a tile or a literal

#: a plus before a tile
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = +x[:, :]
#> 3:15 error tile.no-operator: tiles have no operator `+`
#>   hint: leave it out

#: half of an int
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = x[:, :]
    for n in range(M / 2):
        y[n, :] = x[n, :]
#> 4:20 error tile.int-operator: ints of a kernel have no operator `/`
#>   hint: `/` gives a float, and `M // 2` an int, rounded down; as a float: `M / full(f32, 2, 1, 1)`

#: bits of an int
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = x[:, :]
    for n in range(M):
        y[n & 7, :] = x[n, :]
#> 5:11 error tile.int-operator: ints of a kernel have no operator `&`
#>   hint: use `+`, `-`, `*`, `//`, `%`, `min` and `max`
