#: undefined
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        f = exp(rwo)
        y[i, :] = x[i, :]
#> 4:17 error tile.undefined-name: `rwo` is not defined
#>   hint: bind it above, in the kernel or in the module, or import it

#: did you mean
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        row = x[i, :]
        f = exp(rwo)
        y[i, :] = x[i, :]
#> 5:17 error tile.undefined-name: `rwo` is not defined
#>   hint: did you mean `row`?

#: before definition
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        f = exp(row)
        row = x[i, :]
        y[i, :] = x[i, :]
#> 4:17 error tile.use-before-definition: `row` is used before it is bound
#>   5:9 bound here
#>   hint: bind it above, or give it another name than the one that is bound later

#: twice by one assignment
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        a, b, a = x[i, :], x[i, :], x[i, :] * 2.0
        y[i, :] = a
#> 4:15 error tile.repeated-target: `a` is bound twice by one assignment
#>   hint: bind it once: another name takes the value that is not used

#: twice by one assignment of a function
def helper(v):
    w, w = v, v * 2.0
    return w


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = helper(x[i, :])
#> 2:8 error tile.repeated-target: `w` is bound twice by one assignment
#>   hint: bind it once: another name takes the value that is not used

#: its own name
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        exp = exp(x[i, :])
        y[i, :] = x[i, :]
#> 4:15 error tile.use-before-definition: `exp` is used before it is bound
#>   4:9 bound here
#>   hint: bind it above, or give it another name than the one that is bound later

#: only in a loop
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        row = x[i, :]
    y[:, :] = row
#> 5:15 error tile.maybe-unbound: `row` is bound only inside a `for`
#>   4:9 bound here
#>   hint: bind it before the `for`

#: only in a branch
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        if M > 4:
            row = x[i, :]
        f = exp(row)
        y[i, :] = x[i, :]
#> 6:17 error tile.maybe-unbound: `row` is bound only inside an `if`
#>   5:13 bound here
#>   hint: bind it before the `if`

#: shadowed dim
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        N = x[i, :]
        y[i, :] = x[i, :]
#> 4:9 error tile.shadowed: `N` already stands for a dim of the module
#>   -2:1 defined here
#>   hint: use another name

#: shadowed constant
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        for SIZE in tiles(N, 4):
            pass
        y[i, :] = x[i, :]
#> 4:13 error tile.shadowed: `SIZE` already stands for a constant of the module
#>   0:1 defined here
#>   hint: use another name

#: shadowed parameter
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        x = x[i, :]
        y[i, :] = x[i, :]
#> 4:9 error tile.shadowed: `x` already stands for a tensor
#>   2:7 bound here
#>   hint: use another name

#: shadowed block
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        i = x[i, :]
        y[i, :] = x[i, :]
#> 4:9 error tile.shadowed: `i` already stands for the block of a loop
#>   3:9 bound here
#>   hint: use another name

#: loop over a bound name
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        for i in tiles(N, 8):
            pass
        y[i, :] = x[i, :]
#> 4:13 error tile.shadowed: `i` already stands for the block of a loop
#>   3:9 bound here
#>   hint: use another name

#: second name of a block
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        j = i
        y[i, :] = x[i, :]
#> 4:9 error tile.no-second-name: the block of a loop gets no second name
#>   hint: use the name it has

#: float that changes
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        f = 1.0
        f = 2.0
        y[i, :] = x[i, :]
#> 4:9 error tile.changing-float: `f` is a float that changes
#>   hint: use a tile: `full(f32, …, 1)`
#> 5:9 error tile.changing-float: `f` is a float that changes
#>   hint: use a tile: `full(f32, …, 1)`

#: function as value
def helper():
    pass


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        f = exp(helper)
        y[i, :] = x[i, :]
#> 8:17 error tile.not-a-value: `helper` is a function, not a value of the tile language
#>   hint: only tiles, tensors, blocks, ints, compile-time numbers and dims stand here

#: intrinsic as value
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        f = exp + 1.0
        y[i, :] = x[i, :]
#> 4:13 error tile.not-a-value: `exp` is an intrinsic, not a value of the tile language
#>   hint: call it: `exp(…)`

#: module as value
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        f = tile
        y[i, :] = x[i, :]
#> 4:13 error tile.not-a-value: `tile` is a module, not a value of the tile language
#>   hint: only tiles, tensors, blocks, ints, compile-time numbers and dims stand here

#: attribute of a tile
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        v = x[i, :]
        f = v.shape
        y[i, :] = x[i, :]
#> 5:13 error tile.unknown-attribute: `v` has no attribute `shape`
#>   hint: extents have names: those of the type, `N`, and `len(i)` of the block `i`

#: method of a tile
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        v = x[i, :]
        f = v.sum()
        y[i, :] = x[i, :]
#> 5:13 error tile.unknown-attribute: `v` has no attribute `sum`
#>   hint: write `reduce_sum(v, axis=0)`, with the axis that is meant

#: attribute of htp
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        f = exp(htp.pi)
        y[i, :] = x[i, :]
#> 4:17 error tile.unknown-attribute: `htp` has no attribute `pi`
#>   hint: call an intrinsic on it instead; `htp-host ops` lists them

#: module value that is no constant
TABLE = [1, 2]


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        f = exp(TABLE)
        y[i, :] = x[i, :]
#> 7:17 error tile.not-compile-time: `TABLE` has no value known when compiling
#>   1:1 bound here
#>   hint: bind it once, at module level, to a literal or to arithmetic over other constants

#: an element that a constant's tuple has not
SIZES = (8, 16)
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, SIZES[2]):
        y[i, :] = x[i, :]
#> 4:29 error tile.no-element: `SIZES` has 2 elements, and none at 2
#>   1:1 bound here
#>   hint: they count from 0: the last is `SIZES[1]`

#: texts in an order
MODE = "relu"
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    if MODE < "tanh":
        y[:, :] = x[:, :]
    else:
        y[:, :] = -x[:, :]
#> 4:8 error tile.not-compile-time: `MODE` has no value known when compiling
#>   1:1 bound here
#>   hint: bind it once, at module level, to a literal or to arithmetic over other constants

#: an int by 0
@kernel
def k(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    for p in range(N // 0):
        y[p, :] = x[p, :]
#> 3:20 error tile.zero-divisor: `N // 0` divides an int by 0
#>   hint: divide by an int of 1 or more

#: what an int leaves by 0
@kernel
def k(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :] * (N % 0)
#> 4:30 error tile.zero-divisor: `N % 0` divides an int by 0
#>   hint: divide by an int of 1 or more
