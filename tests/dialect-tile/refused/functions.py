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
    for p in range(n):
        if p > 3:
            return v
    return v * 2.0


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = helper(x[i, :], N)
#> 4:13 error tile.early-return: `helper` returns before its end
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
#> 8:19 error tile.module-name: `exp` is a parameter here, and a name of the module in `helper`
#>   2:12 used here
#>   hint: rename the parameter

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
#> 2:22 error tile.external-result: `apart` is compiled apart, and gives neither a tile nor several
#>   7:15 called here
#>   hint: declare `-> Tile[f32, R, C]`, or `-> tuple[Tile[f32, R, C], Tile[f32, R, 1]]`

#: compiled apart, without a text
@tile.external()
def apart(x: Tile[f32, M, N]) -> Tile[f32, M, N]:
    return x + x

@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = apart(x[:, :])
#> 2:1 error tile.external-decorator: `apart` has another decorator than `@external` with the text of its source
#>   7:15 called here
#>   hint: write `@external(htp.text("scaled.cc"))` above it, and nothing else

#: compiled apart, with another keyword
@tile.external("int x;", update="x")
def apart(x: Tile[f32, M, N]) -> Tile[f32, M, N]:
    return x + x

@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = apart(x[:, :])
#> 1:26 error tile.external-keyword: `external` has no `update`, but `updates`
#>   7:15 called here
#>   hint: write `updates="acc"`, or leave it out

#: compiled apart, with a keyword-only parameter
@tile.external("int x;")
def apart(x: Tile[f32, M, N], *, y: Tile[f32, M, N]) -> Tile[f32, M, N]:
    return x + x

@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = apart(x[:, :])
#> 2:1 error tile.external-parameters: `apart` is compiled apart, and does not have named parameters without defaults alone
#>   7:15 called here
#>   hint: give each parameter a name, and no default

#: compiled apart, with a parameter of another type
@tile.external("int x;")
def apart(x: int) -> Tile[f32, M, N]:
    return x + x

@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = apart(x[:, :])
#> 2:11 error tile.external-parameter: the parameter `x` of `apart` is neither a tile nor an `i32` or `f32`
#>   7:15 called here
#>   hint: declare it `Tile[f32, R, C]`, `i32` or `f32`

#: compiled apart, with an extent that is computed
@tile.external("int x;")
def apart(x: Tile[f32, M, N]) -> Tile[f32, M + 1, N]:
    return x + x

@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = apart(x[:, :])
#> 2:34 error tile.external-extent: the extent `M + 1` of `apart` is neither a constant nor a dim
#>   7:15 called here
#>   hint: write a number, or `R = htp.dim("R")` in the module

#: compiled apart, whose result has a dim of its own
@tile.external("int x;")
def apart(x: Tile[f32, M, N]) -> Tile[f32, M, K]:
    return x + x

@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = apart(x[:, :])
#> 2:34 error tile.external-result-extent: the result of `apart` has the dim `K`, and no parameter has it
#>   7:15 called here
#>   hint: use a dim of a parameter, or a number

#: compiled apart, without a tile
@tile.external("int x;")
def apart(x: f32) -> Tile[f32, 8, 8]:
    return x + x

@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = apart(x[:, :])
#> 2:1 error tile.external-no-tile: `apart` is compiled apart, and takes no tile
#>   7:15 called here
#>   hint: give it a parameter that is a tile, `Tile[f32, R, C]`

#: compiled apart, that updates what it has not
@tile.external("int x;", updates="y")
def apart(x: Tile[f32, M, N]) -> Tile[f32, M, N]:
    return x + x

@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = apart(x[:, :])
#> 1:34 error tile.external-updates: `updates` of `apart` has `'y'`, which is not the name of another tile parameter
#>   7:15 called here
#>   hint: write the parameter's name: `updates="acc"`, `updates=("high", "low")`

#: compiled apart, that updates a tile twice
@tile.external("int x;", updates=("x", "x"))
def apart(x: Tile[f32, M, N]) -> Tile[f32, M, N]:
    return x + x

@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = apart(x[:, :])
#> 1:40 error tile.external-updates: `updates` of `apart` has `'x'`, which is not the name of another tile parameter
#>   7:15 called here
#>   hint: write the parameter's name: `updates="acc"`, `updates=("high", "low")`

#: compiled apart, that updates a tile of another type
@tile.external("int x;", updates="by")
def apart(x: Tile[f32, M, N], by: Tile[f32, 1, N]) -> Tile[f32, M, N]:
    return x * by

@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = apart(x[:, :], x[0, :])
#> 1:34 error tile.external-updated: `updates` of `apart` has `by`, a `Tile[f32, 1, N]`, and result 0 is another
#>   7:15 called here
#>   hint: name parameters in the order of the results that they become, of the same types

#: compiled apart, that computes with a dim
@tile.external("int x;")
def apart(x: Tile[f32, M, N]) -> Tile[f32, M, N]:
    return x * M

@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = apart(x[:, :])
#> 3:16 error tile.external-size: the body of `apart` computes with the dim `M`
#>   7:15 called here
#>   hint: use the length of a tile, or give it the size as an `i32`

#: kernels that are given what they do not take
@kernel
def other(a: In[Tensor[f32, N, M]], s: f32, b: Out[Tensor[f32, N, M]]) -> None:
    for i in tiles(N, 8):
        b[i, :] = a[i, :] * s


@kernel
def k(x: In[Tensor[f32, M, N]], z: InOut[Tensor[i32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, M)
    other(x, 1.0, x)
    other(y, 1.0, y)
    other(x[0:1, :], 1.0, y)
    other(x, 1.0, z)
    other(x, 1.0, h)
    other(x, x[0, 0], y)
#> 10:19 error tile.written-input: `x` is an input and is written here
#>   2:48 declared `Out` here
#> 10:19 error tile.kernel-alias: `x` is given as `a` and as `b`, one of which is written
#>   hint: give it a buffer of its own
#> 11:19 error tile.kernel-alias: `y` is given as `a` and as `b`, one of which is written
#>   hint: give it a buffer of its own
#> 12:11 error tile.kernel-tensor: `other` takes a tensor as `a`, and `x[slice(0, 1), :]` is none that it can be given
#>   2:14 declared here
#>   hint: give it a parameter of the kernel, or a buffer with extents of dims and ints
#> 13:19 error tile.kernel-type: `other` takes `b: Out[Tensor[f32, N, M]]`, and `z` is another tensor
#>   2:48 declared here
#>   hint: give it a tensor of that type, with the same dim wherever it has the same dim
#> 14:19 error tile.kernel-type: `other` takes `b: Out[Tensor[f32, N, M]]`, and `h` is another tensor
#>   2:48 declared here
#>   hint: give it a tensor of that type, with the same dim wherever it has the same dim
#> 15:14 error tile.kernel-scalar: `other` takes `s` of f32, and `x[0, 0]` is no number, and no scalar of that dtype
#>   2:40 declared here
#>   hint: write a number, or declare a scalar parameter of that dtype and give that

#: a kernel that is wrong itself
@kernel
def other(a: In[Tensor[f32, N, M]], b: Out[Tensor[f32, N, M]]) -> None:
    for i in tiles(N, 8):
        a[i, :] = 2.0


@kernel
def k(x: InOut[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    other(x, y)
    y[:, :] += x[:, :]
#> 2:37 error tile.never-written: `b` is an output, and nothing is stored to it
#>   hint: write it: `b[…] = …`
#> 4:9 error tile.written-input: `a` is an input and is written here
#>   2:11 declared `In` here
#>   hint: declare it `Out[…]` or `InOut[…]`

#: kernels on buffers of blocks, and of two blocks
@kernel
def other(a: InOut[Tensor[f32, N, M]]) -> None:
    a[:, :] = 2.0


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        h = buffer(f32, i, N)
        other(h)
        y[i, :] = h[i, :]
    for p in range(M):
        g = buffer(f32, 4, N)
        other(g)
        y[p, :] = g[0, :]
    for p in range(M):
        g = buffer(f32, 8, N)
        other(g)
        y[p, :] = g[0, :]
#> 10:15 error tile.kernel-tensor: `other` takes a tensor as `a`, and `h` is none that it can be given
#>   2:14 declared here
#>   hint: give it a parameter of the kernel, or a buffer with extents of dims and ints
#> 14:15 error tile.kernel-tensor: `other` takes a tensor as `a`, and `g` is none that it can be given
#>   2:14 declared here
#>   hint: give it a parameter of the kernel, or a buffer with extents of dims and ints
#> 18:15 error tile.kernel-tensor: `other` takes a tensor as `a`, and `g` is none that it can be given
#>   2:14 declared here
#>   hint: give it a parameter of the kernel, or a buffer with extents of dims and ints

#: an index that an argument makes negative
def row(v, n):
    return v[n, :]

def rows(v, n):
    return v[n:, :]

@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = x[:, :] + row(x, -1) + reduce_sum(rows(x, -2), axis=0)
#> 9:25 error tile.negative-argument: the index `n` of `row` is -1 by this argument
#>   2:14 used here
#>   hint: give it where the element is, `N - 1`, or write `-1` in the function
#> 9:49 error tile.negative-argument: the index `n` of `rows` is -2 by this argument
#>   5:14 used here
#>   hint: give it where the element is, `N - 1`, or write `-1` in the function
