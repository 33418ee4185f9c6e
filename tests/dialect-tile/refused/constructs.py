#: with
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        with x:
            pass
        y[i, :] = x[i, :]
#> 4:9 error tile.unsupported: the tile language has no `with`
#>   hint: write it with loops over `tiles` or `range`, assignments, stores, `if` on ints and intrinsics

#: try
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        try:
            pass
        finally:
            pass
        y[i, :] = x[i, :]
#> 4:9 error tile.unsupported: the tile language has no `try`
#>   hint: write it with loops over `tiles` or `range`, assignments, stores, `if` on ints and intrinsics

#: class
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        class C:
            pass
        y[i, :] = x[i, :]
#> 4:9 error tile.unsupported: the tile language has no classes
#>   hint: write it with loops over `tiles` or `range`, assignments, stores, `if` on ints and intrinsics

#: nested function
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        def f():
            pass
        y[i, :] = x[i, :]
#> 4:9 error tile.unsupported: the tile language has no nested functions
#>   hint: write its body where it is used

#: lambda
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        f = lambda: 1
        y[i, :] = x[i, :]
#> 4:13 error tile.unsupported: the tile language has no `lambda`
#>   hint: write it with loops over `tiles` or `range`, assignments, stores, `if` on ints and intrinsics

#: comprehension
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        f = [a for a in x]
        y[i, :] = x[i, :]
#> 4:13 error tile.unsupported: the tile language has no comprehensions
#>   hint: write the loop out

#: import
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        import math
        y[i, :] = x[i, :]
#> 4:9 error tile.unsupported: the tile language has no `import` inside a kernel
#>   hint: import at module level

#: yield
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        yield x
        y[i, :] = x[i, :]
#> 4:9 error tile.unsupported: the tile language has no `yield`
#>   hint: store to an `Out` parameter

#: await
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        await x
        y[i, :] = x[i, :]
#> 4:9 error tile.unsupported: the tile language has no `await`
#>   hint: write it with loops over `tiles` or `range`, assignments, stores, `if` on ints and intrinsics

#: global
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        global x
        y[i, :] = x[i, :]
#> 4:9 error tile.unsupported: the tile language has no `global`
#>   hint: pass a tensor instead

#: del
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        del x
        y[i, :] = x[i, :]
#> 4:9 error tile.unsupported: the tile language has no `del`
#>   hint: names end with their block

#: match
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        match x:
            case 1:
                pass
        y[i, :] = x[i, :]
#> 4:9 error tile.unsupported: the tile language has no `match`
#>   hint: use `if` on ints, or `where` on tiles

#: starred
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        f = exp(*x)
        y[i, :] = x[i, :]
#> 4:17 error tile.unsupported: the tile language has no `*` unpacking
#>   hint: write the arguments out

#: double star
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        f = exp(**x)
        y[i, :] = x[i, :]
#> 4:17 error tile.unsupported: the tile language has no `**` unpacking
#>   hint: write the arguments out

#: f-string
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        f = f"{x}"
        y[i, :] = x[i, :]
#> 4:13 error tile.unsupported: the tile language has no f-strings
#>   hint: write it with loops over `tiles` or `range`, assignments, stores, `if` on ints and intrinsics

#: assert
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        assert x
        y[i, :] = x[i, :]
#> 4:9 error tile.unsupported: the tile language has no `assert`
#>   hint: check arguments before the kernel is called

#: raise
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        raise x
        y[i, :] = x[i, :]
#> 4:9 error tile.unsupported: the tile language has no `raise`
#>   hint: check arguments before the kernel is called

#: break of a parallel loop
@kernel
def k(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(range(M)):
        if i > 3:
            break
        y[i, :] = x[i, :]
#> 3:5 error tile.parallel-exit: the parallel loop over `i` is left by `break`
#>   hint: leave `htp.parallel` out, or let each iteration decide for itself with `if`, or `continue`

#: continue in the else of a loop
@kernel
def k(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    for p in range(M):
        for q in range(N):
            if q > p:
                break
        else:
            continue
        y[p, :] = x[p, :]
#> 8:13 error tile.unsupported: the tile language has no jumps in the `else` of a loop
#>   hint: write it behind the loop

#: walrus
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        f = (a := 1)
        y[i, :] = x[i, :]
#> 4:14 error tile.unsupported: the tile language has no `:=`
#>   hint: assign on a line of its own

#: conditional
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        f = x if M else y
        y[i, :] = x[i, :]
#> 4:13 error tile.no-second-name: a tensor gets no second name
#>   hint: use the name it has
#> 4:25 error tile.no-second-name: a tensor gets no second name
#>   hint: use the name it has

#: tuple
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        a, b = x[i, :], x[i, :], x[i, :]
        y[i, :] = x[i, :]
#> 4:9 error tile.unsupported: the tile language has no tuples
#>   hint: bind each value to a name

#: tuple value
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        f = (1, 2)
        y[i, :] = x[i, :]
#> 4:13 error tile.unsupported: the tile language has no tuples
#>   hint: bind each value to a name

#: dict
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        f = {}
        y[i, :] = x[i, :]
#> 4:13 error tile.unsupported: the tile language has no dicts
#>   hint: write it with loops over `tiles` or `range`, assignments, stores, `if` on ints and intrinsics

#: chained assignment
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        a = b = x[i, :]
        y[i, :] = x[i, :]
#> 4:9 error tile.unsupported: the tile language has no chained assignments
#>   hint: bind each name on a line of its own

#: in
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        f = 1 in M
        y[i, :] = x[i, :]
#> 4:13 error tile.unsupported: the tile language has no `in`
#>   hint: write it with loops over `tiles` or `range`, assignments, stores, `if` on ints and intrinsics

#: declaration
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        f: Tile[f32, M]
        y[i, :] = x[i, :]
#> 4:9 error tile.unsupported: the tile language has no declarations without a value
#>   hint: annotate the first assignment

#: star import
from htp_tile import *

@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        pass
        y[i, :] = x[i, :]
#> 1:1 error tile.star-import: `from htp_tile import *` hides which names a kernel uses
#>   hint: import each name that is used
