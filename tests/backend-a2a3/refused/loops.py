import htp
from htp import In, InOut, Out, bf16, bool_, f16, f32, f64, i8, i16, i32, i64, u8, u16, u32
from htp_tile import Tensor, Tile, argmax, argtopk, buffer, cast, exp, full, gather, index, iota, kernel, load, matmul, maximum, reduce_max, reduce_sum, reshape, scan_sum, tiles, topk, transpose, where, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


#: an int that changes
@kernel
def program(x: In[Tensor[f32, M, 64]], w: In[Tensor[f32, 64, 64]], y: Out[Tensor[f32, M, 64]], z: InOut[Tensor[f32, M, 64]]) -> None:
    p = 0
    for i in tiles(M, 16):
        y[i, :] = matmul(x[i, :], w[:, :])
        p = p + 1
    for n in range(p):
        z[n, :] = x[n, :]
#> 6:9 error a2a3.int-changes: the int `p` has more than one value
#>   hint: compute it from sizes and loop variables where it is used
#> 8:11 note tile.unknown-use: index `n` was not shown to be inside dimension 0: when it is used is not known for all sizes
#>   7:14 not known for all sizes
#>   hint: it is checked when the program runs
#> 8:21 note tile.unknown-use: index `n` was not shown to be inside dimension 0: when it is used is not known for all sizes
#>   7:14 not known for all sizes
#>   hint: it is checked when the program runs

#: an int of sizes
@kernel
def program(x: In[Tensor[f32, M, 64]], w: In[Tensor[f32, 64, 64]], y: Out[Tensor[f32, M, 64]], z: InOut[Tensor[f32, M, 64]]) -> None:
    for i in tiles(M, 16):
        y[i, :] = matmul(x[i, :], w[:, :])
    for n in range((M + 15) // 16):
        z[n, :] = x[n, :]
#> 3:5 note a2a3.one-task-loops: `program` runs on one core of 24 cube cores and 48 vector cores each: its loops go over different blocks
#>   hint: store all of it in one loop over blocks, and index what is stored by its block: `for i in tiles(M, 16): y[i, :] = …`

#: an int with a type
@kernel
def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        c: int = 3
        y[i, :] = x[i, :] + c
#> compiles

#: an int without
@kernel
def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        c = 3
        y[i, :] = x[i, :] + c
#> compiles

#: a condition that is an int
@kernel
def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]], k: int) -> None:
    for i in tiles(M, 8):
        t = x[i, :]
        if k:
            t = t + 1.0
        y[i, :] = t
#> 5:12 error a2a3.condition: the condition `k` is not a comparison of ints
#>   hint: compare it with 0: `k != 0`

#: a condition that compares it
@kernel
def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]], k: int) -> None:
    for i in tiles(M, 8):
        t = x[i, :]
        if k != 0:
            t = t + 1.0
        y[i, :] = t
#> compiles

#: an int that is computed from an element
@kernel
def program(n: In[Tensor[i32, M]], x: In[Tensor[f32, M, 64]], y: Out[Tensor[f32, M, 64]]) -> None:
    for m in range(M):
        y[m, :] = x[index(n[m] + 1), :]
#> 4:21 note tile.not-affine: index `index(n[m] + 1)` was not shown to be inside dimension 0: it is not affine in the sizes and loops
#>   hint: it is checked when the program runs
#> 4:21 error a2a3.not-element: `tile.index(add)` is not an element of an input of i32 or i64
#>   hint: store the int in the input, and read it as it is: `index(n[m])`

#: an int that is an element
@kernel
def program(n: In[Tensor[i32, M]], x: In[Tensor[f32, M, 64]], y: Out[Tensor[f32, M, 64]]) -> None:
    for m in range(M):
        y[m, :] = x[index(n[m]), :]
#> 4:21 note tile.not-affine: index `index(n[m])` was not shown to be inside dimension 0: it is not affine in the sizes and loops
#>   hint: it is checked when the program runs

#: an index that is a tile
@kernel
def program(n: In[Tensor[i32, M]], x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[n[i], :] = x[i, :]
#> 4:9 error a2a3.tile-index: the index `n_tile` is a tile
#>   hint: index by elements of an input of i32, one after the other: `for b in range(B): y[index(t[b]), :] = x[b, :]`
#> 4:11 note tile.not-affine: index `n[i]` was not shown to be inside dimension 0: it is not affine in the sizes and loops
#>   hint: it is checked when the program runs

#: indices one after the other
@kernel
def program(n: In[Tensor[i32, M]], x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    for b in range(M):
        y[index(n[b]), :] = x[b, :]
#> 4:9 note a2a3.one-task-index: `program` runs on one core of 48 vector cores: `y` is not indexed by `b`
#>   hint: store all of it in one loop over blocks, and index what is stored by its block: `for i in tiles(M, 16): y[i, :] = …`
#> 4:11 note tile.not-affine: index `index(n[b])` was not shown to be inside dimension 0: it is not affine in the sizes and loops
#>   hint: it is checked when the program runs

#: every second element
@kernel
def program(x: In[Tensor[f32, 2 * N]], y: Out[Tensor[f32, N]]) -> None:
    y[:] = x[::2]
#> 3:12 error a2a3.index-step: the index `slice(0, 2 * N, 2)` leaves out elements
#>   hint: go one by one: `for n in range(N): y[n] = x[2 * n]`

#: every second element, one by one
@kernel
def program(x: In[Tensor[f32, 2 * N]], y: Out[Tensor[f32, N]]) -> None:
    for n in range(N):
        y[n] = x[2 * n]
#> compiles

#: every second row of blocks
@kernel
def program(x: In[Tensor[f32, 2 * M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i * 2, :]
#> 4:19 error a2a3.index: the index `i * 2` is not a block, a slice or an int of loop variables
#>   hint: index by a loop variable: `for n in range(M): y[n, :] = x[2 * n, :]`

#: every second row, one by one
@kernel
def program(x: In[Tensor[f32, 2 * M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for n in range(M):
        y[n, :] = x[2 * n, :]
#> compiles

#: elements from outside
@kernel
def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = load(x, i, slice(1, N + 1), outside=0.0)
#> 4:19 error a2a3.outside: `tile.load(x, i, slice(1, N + 1), outside=0.0)` loads elements from outside of its tensor
#>   hint: store it into a larger buffer that is filled before: `h[:, :] = 0.0`, `h[i + 1, :] = x[i, :]`, and load `h[i, :]`

#: elements of a larger buffer
@kernel
def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M + 1, N)
    h[:, :] = 0.0
    for i in tiles(M, 1):
        h[i + 1, :] = x[i, :]
    for i in tiles(M, 1):
        y[i, :] = h[i, :]
#> compiles

#: a column: `y[i, :] = x[i, 0]`
@kernel
def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, 1]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, 0]
#> compiles

#: a column: `y[i, 2] = x[i, :]`
@kernel
def program(x: In[Tensor[f32, M, 1]], y: InOut[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, 2] = x[i, :]
#> 4:14 note tile.maybe-outside: index `2` may be outside dimension 1, as when M = 1 and N = 1
#>   hint: it is checked when the program runs

#: a column: `y[i, 2:3] = x[i, :]`
@kernel
def program(x: In[Tensor[f32, M, 1]], y: InOut[Tensor[f32, M, 4]]) -> None:
    for i in tiles(M, 8):
        y[i, 2:3] = x[i, :]
#> compiles

#: a column of a tile
@kernel
def program(x: In[Tensor[f32, M, 64]], y: Out[Tensor[f32, M, 1]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = reduce_sum(where(iota(i32, i, 64, axis=1) == 0, x[i, :], 0.0), axis=1)
#> compiles

#: an int that a branch changes
@kernel
def program(n: In[Tensor[i32, 4]], x: In[Tensor[f32, M]], y: Out[Tensor[f32, M]]) -> None:
    for i in tiles(M, 8):
        y[i] = x[i]
        w = 1
        if len(i) == 8:
            w = index(n[1])
        for p in range(w):
            y[p] = x[p]
#> 7:13 error a2a3.int-changes: the int `w` has more than one value
#>   hint: compute it from sizes and loop variables where it is used
#> 9:15 note tile.unknown-use: index `p` was not shown to be inside dimension 0: when it is used is not known for all sizes
#>   8:18 not known for all sizes
#>   hint: it is checked when the program runs
#> 9:22 note tile.unknown-use: index `p` was not shown to be inside dimension 0: when it is used is not known for all sizes
#>   8:18 not known for all sizes
#>   hint: it is checked when the program runs

#: a store to every second element
@kernel
def program(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, 2 * N]]) -> None:
    y[::2] = x[:]
#> 3:5 error a2a3.index-step: the index `slice(0, 2 * N, 2)` leaves out elements
#>   hint: go one by one: `for n in range(N): y[n] = x[2 * n]`

#: an index that is the length of a block
@kernel
def program(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[len(i) - 1, :] = x[0, :]
#> compiles
