import htp
from htp import In, InOut, Out, bf16, bool_, f16, f32, f64, i8, i16, i32, i64, u8, u16, u32
from htp_tile import Tensor, Tile, argmax, argsort, argtopk, buffer, cast, copy_async, exp, full, gather, holds, index, iota, kernel, load, matmul, maximum, reduce_max, reduce_sum, reshape, scan_sum, scatter_add, sort, tiles, topk, transpose, wait, where, whole, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


#: a sort
@kernel
def program(n: In[Tensor[i32, 1]], x: In[Tensor[f32, M, 16]], y: Out[Tensor[f32, M, 16]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = sort(x[i, :], axis=1)
#> 4:19 error a2a3.no-handler: `tile.sort` has no instructions on a2a3
#>   hint: take as many as you name, the largest first: `topk(x, 8, axis=1)`

#: a sort, as the hint says
@kernel
def program(n: In[Tensor[i32, 1]], x: In[Tensor[f32, M, 16]], y: Out[Tensor[f32, M, 16]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = topk(x[i, :], 16, axis=1)
#> compiles

#: an order
@kernel
def program(n: In[Tensor[i32, 1]], x: In[Tensor[f32, M, 16]], y: Out[Tensor[f32, M, 16]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = gather(x[i, :], argsort(x[i, :], axis=1), axis=1)
#> 4:35 error a2a3.no-handler: `tile.argsort` has no instructions on a2a3
#>   hint: take as many as you name, the largest first: `argtopk(x, 8, axis=1)`

#: an order, as the hint says
@kernel
def program(n: In[Tensor[i32, 1]], x: In[Tensor[f32, M, 16]], y: Out[Tensor[f32, M, 16]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = gather(x[i, :], argtopk(x[i, :], 16, axis=1), axis=1)
#> compiles

#: a branch by elements
@kernel
def program(n: In[Tensor[i32, 1]], x: In[Tensor[f32, M, 16]], y: Out[Tensor[f32, M, 16]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :]
        if holds(x[0, 0] > 0.0):
            y[i, :] = exp(x[i, :])
#> 5:12 error a2a3.no-handler: `tile.holds` has no instructions on a2a3
#>   hint: decide by an element of integers, `if index(n[0]) > 0:`, or choose element by element: `where(x > 0, a, b)`

#: a branch by elements, as the hint says
@kernel
def program(n: In[Tensor[i32, 1]], x: In[Tensor[f32, M, 16]], y: Out[Tensor[f32, M, 16]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = where(x[0, 0] > 0.0, exp(x[i, :]), x[i, :])
#> compiles

#: a branch by an element of integers
@kernel
def program(n: In[Tensor[i32, 1]], x: In[Tensor[f32, M, 16]], y: Out[Tensor[f32, M, 16]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :]
        if holds(n[0] > 0):
            y[i, :] = exp(x[i, :])
#> 5:12 error a2a3.no-handler: `tile.holds` has no instructions on a2a3
#>   hint: decide by an element of integers, `if index(n[0]) > 0:`, or choose element by element: `where(x > 0, a, b)`

#: a branch by an element of integers, as the hint says
@kernel
def program(n: In[Tensor[i32, 1]], x: In[Tensor[f32, M, 16]], y: Out[Tensor[f32, M, 16]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :]
        if index(n[0]) > 0:
            y[i, :] = exp(x[i, :])
#> compiles

#: a scatter
@kernel
def program(n: In[Tensor[i32, M]], c: InOut[Tensor[i32, 16]]) -> None:
    c[:] = 0
    scatter_add(c, 1, n[:])
#> 4:5 error a2a3.no-handler: `tile.scatter_add` has no instructions on a2a3
#>   hint: sum for each place what belongs there: `counts[b] = reduce_sum(where(part == b, 1, 0), axis=0)`
#> 4:23 note tile.not-affine: index `n[:]` was not shown to be inside dimension 0: it is not affine in the sizes and loops
#>   hint: it is checked when the program runs

#: a sum for each place
@kernel
def program(n: In[Tensor[i32, M]], c: InOut[Tensor[i32, 16]]) -> None:
    for b in range(16):
        c[b] = reduce_sum(where(n[:] == b, 1, 0), axis=0)
#> 3:5 note a2a3.one-task-small: `program` runs on one core of 48 vector cores: it is no larger than one task
#>   hint: choose smaller blocks

#: a copy that is waited for
@kernel
def program(x: In[Tensor[f32, M, 64]], y: Out[Tensor[f32, M, 64]]) -> None:
    h = buffer(f32, 1, 64)
    for m in range(M):
        wait(copy_async(h, x[m, :], 0, whole))
        y[m, :] = h[0, :]
#> 5:9 error a2a3.no-handler: `tile.wait` has no instructions on a2a3
#>   hint: leave it out: what is stored is there when it is loaded
#> 5:14 error a2a3.no-handler: `tile.copy_async` has no instructions on a2a3
#>   hint: store it, `rows[r, :] = x[r, :]`: loads, stores and what is computed overlap by themselves

#: a store
@kernel
def program(x: In[Tensor[f32, M, 64]], y: Out[Tensor[f32, M, 64]]) -> None:
    h = buffer(f32, 1, 64)
    for m in range(M):
        h[0, :] = x[m, :]
        y[m, :] = h[0, :]
#> 5:9 note a2a3.one-task-index: `program` runs on one core of 48 vector cores: `h` is not indexed by `m`
#>   hint: store all of it in one loop over blocks, and index what is stored by its block: `for i in tiles(M, 16): y[i, :] = …`
