#: recursive
def odd(v):
    return even(v)


def even(v):
    w = odd(v)
    return w


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = odd(x[i, :])
#> 6:9 error tile.recursive: `odd` calls itself
#>   1:1 defined here
#>   note: `odd` calls `even` calls `odd`
#>   hint: write a loop

#: any number of parameters
def helper(*v):
    return v


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = helper(x[i, :])
#> 1:13 error tile.local-signature: `helper` cannot have `*` parameters
#>   hint: give each parameter a name

#: keywords
def helper(v, **w):
    return v


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = helper(x[i, :])
#> 1:17 error tile.local-signature: `helper` cannot have `**` parameters
#>   hint: give each parameter a name

#: early return
def helper(v, n):
    if n > 3:
        return v
    return v * 2.0


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = helper(x[i, :], N)
#> 3:9 error tile.early-return: `helper` returns before its end
#>   hint: bind the value to a name, and return that at the end

#: too many arguments
def helper(v):
    return v * 2.0


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = helper(x[i, :], 2.0)
#> 8:19 error tile.too-many-arguments: `helper` takes at most 1 positional arguments, not 2
#>   1:1 defined here
#>   hint: leave out the last

#: missing, unknown and repeated arguments
def helper(v, w):
    return v * w


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        a = helper(x[i, :])
        b = helper(x[i, :], z=2.0, w=2.0)
        d = helper(x[i, :], v=2.0, w=2.0)
        y[i, :] = helper(*x[i, :])
#> 8:13 error tile.missing-argument: `helper` needs the argument `w`
#>   1:1 defined here
#>   hint: its parameters are `v`, `w`
#> 9:29 error tile.unknown-keyword: `helper` has no parameter `z`
#>   1:1 defined here
#>   hint: its parameters are `v`, `w`
#> 10:29 error tile.repeated-argument: `helper` got the argument `v` twice
#>   hint: give it once
#> 11:19 error tile.missing-argument: `helper` needs the argument `v`
#>   1:1 defined here
#>   hint: its parameters are `v`, `w`
#> 11:19 error tile.missing-argument: `helper` needs the argument `w`
#>   1:1 defined here
#>   hint: its parameters are `v`, `w`
#> 11:26 error tile.unsupported: the tile language has no `*` unpacking
#>   hint: write the arguments out

#: results and names
def helper(v):
    return v, v


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        a, b, d = helper(x[i, :])
        y[i, :] = a
#> 8:9 error tile.result-count: `helper` returns 2 values, and there are 3 names for them
#>   hint: name each value

#: a tuple within an expression
def helper(v):
    return v, v


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = helper(x[i, :]) + 1.0
#> 8:19 error tile.unsupported: the tile language has no tuples
#>   hint: unpack it on a line of its own: `a, b = helper(…)`

#: no result
def helper(v, i, w):
    v[i, :] = w


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        z = helper(y, i, x[i, :])
#> 8:13 error tile.no-result: `helper` has no result
#>   hint: let it stand as a statement of its own

#: stores within an expression
def helper(v, i, w):
    v[i, :] = w
    return w


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = helper(y, i, x[i, :]) + 1.0
#> 9:19 error tile.stores-within: `helper` stores to a tensor, and stands within an expression
#>   1:1 defined here
#>   hint: call it on a line of its own

#: behind and
def small(n):
    return n < 64


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :]
        if N > 2 and small(N):
            y[i, :] = x[i, :]
#> 9:22 error tile.conditional-call: `small(N)` calls a function behind `and` or `or`
#>   hint: bind its value to a name on a line before

#: a parameter of the name of what the function uses
def helper(v):
    return exp(v)


@kernel
def k(exp: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = helper(exp[i, :])
#> 8:19 error tile.shadowed: `exp` already stands for a parameter here, and something of the module in `helper`
#>   2:12 used here
#>   hint: use another name

#: a mistake in its body, told once for two calls
def helper(v):
    return v + undefined


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = helper(x[i, :]) + helper(x[i, :])
#> 2:16 error tile.undefined-name: `undefined` is not defined
#>   hint: bind it above, in the kernel or in the module, or import it

#: a value that is not used
def helper(v):
    return v * 2.0


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        helper(x[i, :])
        y[i, :] = x[i, :]
#> 8:9 error tile.unused-result: the result of `v * 2.0` is not used
#>   hint: bind it to a name, or remove the statement

#: compiled apart, and no function of tiles
@tile.external("int x;")
def apart(x: f32) -> f32:
    return x

@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = apart(x[:, :])
#> 2:22 error tile.external-form: `apart` cannot be compiled apart: it gives a tile, `Tile[f32, R, C]`, or several: `tuple[Tile[f32, R, C], Tile[f32, R, 1]]`
#>   7:15 called here
#>   hint: write `@external(htp.text("scaled.cc"))` above `def scaled(x: Tile[f32, R, C]) -> Tile[f32, R, C]:`
