#: over a tensor
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        for v in x:
            pass
        y[i, :] = x[i, :]
#> 4:18 error tile.bad-loop: a `for` of the tile language runs over `tiles` or `range`, not `x`
#>   hint: cut an extent into blocks: `tiles(M, 8)`

#: over a call
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        for v in enumerate(x):
            pass
        y[i, :] = x[i, :]
#> 4:18 error tile.bad-loop: a `for` of the tile language runs over `tiles` or `range`, not `enumerate(x)`
#>   hint: cut an extent into blocks: `tiles(M, 8)`

#: tuple target
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        for a, b in tiles(N, 8):
            pass
        y[i, :] = x[i, :]
#> 4:13 error tile.bad-target: `(a, b)` cannot be assigned to
#>   hint: a loop has one name: `for i in …`

#: size not constant
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        for j in tiles(N, M):
            pass
        y[i, :] = x[i, :]
#> 4:27 error tile.not-constant: the size of `tiles` must be a compile-time int, not `M`
#>   hint: write an int, or a constant of the module

#: size zero
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        for j in tiles(N, SIZE - 8):
            pass
        y[i, :] = x[i, :]
#> 4:27 error tile.bad-size: a block needs a positive size, not 0
#>   hint: give a size of 1 or more: `tiles(M, 8)`

#: size missing
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        for j in tiles(N):
            pass
        y[i, :] = x[i, :]
#> 4:18 error tile.missing-argument: `tiles` needs the argument `size`
#>   hint: say how large a block is at most: `tiles(M, 8)`

#: extent
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        for j in tiles(x, 8):
            pass
        y[i, :] = x[i, :]
#> 4:24 error tile.bad-extent: `x` is not an extent: an int, a dim or a block
#>   hint: name a dim (`M = htp.dim("M")`), a block of an outer loop or an int of 1 or more

#: extent arithmetic
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        for j in tiles(len(i) + 1, 8):
            pass
        y[i, :] = x[i, :]
#> 4:24 error tile.bad-extent: `len(i) + 1` is not an extent: an int, a dim or a block
#>   hint: bind what is computed to a name on a line before, `length = …`, and use that

#: extent negative
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        for j in tiles(-4, 8):
            pass
        y[i, :] = x[i, :]
#> 4:24 error tile.bad-extent: `-4` is not an extent: an int, a dim or a block
#>   hint: an extent is 1 or more, and this is -4

#: too many arguments
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        for j in tiles(N, 8, 4):
            pass
        y[i, :] = x[i, :]
#> 4:18 error tile.too-many-arguments: `tiles` takes at most 2 positional arguments, not 3
#>   hint: `htp-host ops show` of it shows its signature

#: unknown keyword
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        for j in tiles(N, width=8):
            pass
        y[i, :] = x[i, :]
#> 4:18 error tile.missing-argument: `tiles` needs the argument `size`
#>   hint: say how large a block is at most: `tiles(M, 8)`
#> 4:27 error tile.unknown-keyword: `tiles` has no parameter `width`
#>   hint: `htp-host ops show` of it shows its signature

#: range of a tile
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        for n in range(x[i, :]):
            pass
        y[i, :] = x[i, :]
#> 4:24 error tile.int-expected: `x[i, :]` is not an int
#>   hint: ints are literals, dims, `len(block)`, loop variables of `range` and arithmetic over them

#: level not a string
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        for j in htp.parallel(tiles(N, 8), level=3):
            pass
        y[i, :] = x[i, :]
#> 4:50 error tile.bad-level: a level is named by a string, not by `3`
#>   hint: write the level's name: `level="core"`

#: wrapper
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        for j in htp.parallel(tiles(N, 8), tiles(M, 8)):
            pass
        y[i, :] = x[i, :]
#> 4:18 error tile.bad-loop: a `for` of the tile language runs over `tiles` or `range`, not `htp.parallel(tiles(N, 8), tiles(M, 8))`
#>   hint: `htp.parallel` wraps one `tiles(…)` or `range(…)`

#: attribute target
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        x.a = 1
        y[i, :] = x[i, :]
#> 4:9 error tile.bad-target: `x.a` cannot be assigned to
#>   hint: assign to a name

#: augmented store
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] += 1.0
        y[i, :] = x[i, :]
#> 4:9 error tile.read-output: `y` is an output and is read here
#>   2:33 declared `Out` here
#>   hint: declare it `InOut[…]`

#: a step of 0
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for p in range(0, M, 0):
        y[p, :] = x[p, :]
#> 3:26 error tile.no-step: a `range` with a step of 0 goes nowhere
#>   hint: step by 1 or more, or by -1 or less to go down

#: a depth of 0
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.pipelined(tiles(M, 8), depth=0):
        y[i, :] = x[i, :]
#> 3:47 error tile.bad-depth: a pipelined loop has a depth of at least 1, not 0
#>   hint: `depth=1` is one iteration after the other

#: a form's keyword
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.vectorized(tiles(M, 8), lanes=4):
        y[i, :] = x[i, :]
    for i in htp.parallel(tiles(M, 8), lanes=4):
        y[i, :] = x[i, :]
    for i in htp.pipelined(tiles(M, 8), lanes=4):
        y[i, :] = x[i, :]
#> 3:42 error tile.unknown-keyword: `htp.vectorized` has no parameter `lanes`
#>   hint: it takes the loop's range alone
#> 5:40 error tile.unknown-keyword: `htp.parallel` has no parameter `lanes`
#>   hint: it takes `level=`
#> 7:14 error tile.missing-argument: `htp.pipelined` needs the argument `depth`
#>   hint: say how many iterations may overlap: `depth=2`
#> 7:41 error tile.unknown-keyword: `htp.pipelined` has no parameter `lanes`
#>   hint: it takes `depth=`
