import htp
from htp import In, InOut, Out, bf16, bool_, f16, f32, f64, i8, i16, i32, i64, u8, u16, u32
from htp_tile import Tensor, Tile, argmax, argmin, argtopk, buffer, cast, exp, floor, full, gather, holds, index, iota, kernel, load, matmul, maximum, reduce_max, reduce_sum, reshape, scan_sum, tiles, topk, transpose, where, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


#: the place of the largest of a column
@kernel
def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[i32, 1, N]]) -> None:
    for j in tiles(N, 32):
        y[:, j] = argmax(x[:, j], axis=0)
#> 4:19 error a2a3.along-rows: `tile.argmax` works along the rows of a tile
#>   hint: look along the last dimension, of the transpose: `argmax(transpose(x), axis=1)`

#: the place of the least of a column
@kernel
def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[i32, 1, N]]) -> None:
    for j in tiles(N, 32):
        y[:, j] = argmin(x[:, j], axis=0)
#> 4:19 error a2a3.along-rows: `tile.argmin` works along the rows of a tile
#>   hint: look along the last dimension, of the transpose: `argmin(transpose(x), axis=1)`

#: the place of the largest of a column, of the transpose
@kernel
def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[i32, 1, N]]) -> None:
    for j in tiles(N, 32):
        y[:, j] = transpose(argmax(transpose(x[:, j]), axis=1))
#> compiles

#: the largest of a column
@kernel
def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, 4, N]]) -> None:
    for j in tiles(N, 32):
        y[:, j] = topk(x[:, j], 4, axis=0)
#> 4:19 error a2a3.along-rows: `tile.topk` works along the rows of a tile
#>   hint: look along the last dimension, of the transpose: `transpose(topk(transpose(x), 4, axis=1))`

#: the largest of a column, of the transpose
@kernel
def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, 4, N]]) -> None:
    for j in tiles(N, 32):
        y[:, j] = transpose(topk(transpose(x[:, j]), 4, axis=1))
#> compiles

#: a scan of columns
@kernel
def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for j in tiles(N, 32):
        y[:, j] = scan_sum(x[:, j], axis=0)
#> 4:19 error a2a3.along-rows: `tile.scan_sum` works along the rows of a tile
#>   hint: scan along the last dimension: `transpose` the tile before and after

#: a scan of columns, of the transpose
@kernel
def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for j in tiles(N, 32):
        y[:, j] = transpose(scan_sum(transpose(x[:, j]), axis=1))
#> compiles

#: elements of columns
@kernel
def program(x: In[Tensor[f32, M, N]], p: In[Tensor[i32, 4, N]], y: Out[Tensor[f32, 4, N]]) -> None:
    for j in tiles(N, 32):
        y[:, j] = gather(x[:, j], p[:, j], axis=0)
#> 4:19 error a2a3.along-rows: `tile.gather` works along the rows of a tile
#>   hint: gather along the last dimension: `transpose` the tile before and after

#: elements of columns, of the transpose
@kernel
def program(x: In[Tensor[f32, M, N]], p: In[Tensor[i32, 4, N]], y: Out[Tensor[f32, 4, N]]) -> None:
    for j in tiles(N, 32):
        y[:, j] = transpose(gather(transpose(x[:, j]), transpose(p[:, j]), axis=1))
#> compiles

#: one row of indices for many
@kernel
def program(x: In[Tensor[f32, M, N]], p: In[Tensor[i32, 1, 4]], y: Out[Tensor[f32, M, 4]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = gather(x[i, :], p[:, :], axis=1)
#> 4:19 error a2a3.gather-indices: indices of Tile[i32, 1, 4] do not fit the rows of Tile[f32, i, N]
#>   hint: give each row its indices: `p + zeros(i32, i, 4)`

#: indices for each row
@kernel
def program(x: In[Tensor[f32, M, N]], p: In[Tensor[i32, 1, 4]], y: Out[Tensor[f32, M, 4]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = gather(x[i, :], p[:, :] + zeros(i32, i, 4), axis=1)
#> compiles

#: a reduction of a column
@kernel
def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, 1, 1]]) -> None:
    c = zeros(f32, 1, 1)
    for i in tiles(M, 16):
        c = c + reduce_sum(reduce_sum(x[i, :], axis=1), axis=0)
    y[:, :] = c
#> compiles

#: a reduction along both axes
@kernel
def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, 1, 1]]) -> None:
    c = zeros(f32, 1, 1)
    for i in tiles(M, 16):
        c = c + reduce_sum(x[i, :], axis=(0, 1))
    y[:, :] = c
#> compiles

#: a matrix as a row
@kernel
def program(x: In[Tensor[f32, 64, 64]], y: Out[Tensor[f32, 4096]]) -> None:
    y[:] = reshape(x[:, :], 4096)
#> 3:12 error a2a3.reshape: a reshape of Tile[f32, 64, 64] to Tile[f32, 4096] changes dimensions other than 1
#>   hint: load each slice as a tile of its own, in a loop: `for n in range(64): y[n * 64:n * 64 + 64] = reshape(x[n, :], 64)`

#: its rows one by one
@kernel
def program(x: In[Tensor[f32, 64, 64]], y: Out[Tensor[f32, 4096]]) -> None:
    for n in range(64):
        y[n * 64:n * 64 + 64] = reshape(x[n, :], 64)
#> compiles

#: a power of 2.5
@kernel
def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :] ** 2.5
#> 4:19 error a2a3.power: the exponent `2.5` is not a constant from -64 to 64 without a fraction, 0.5 or -0.5
#>   hint: where the base is above 0: `exp(log(x) * 2.5)`

#: a power of 2.5 above 0
from htp_tile import log


@kernel
def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = exp(log(x[i, :]) * 2.5)
#> compiles

#: a power of elements
@kernel
def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :] ** x[i, :]
#> 4:19 error a2a3.power: the exponent `x_tile` is not a constant from -64 to 64 without a fraction, 0.5 or -0.5
#>   hint: where the base is above 0: `exp(log(x) * y)`

#: a shift by an int of the call
@kernel
def program(x: In[Tensor[i32, M, N]], y: Out[Tensor[i32, M, N]], k: int) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :] << k
#> 4:19 error a2a3.shift-count: `tile.shl` shifts by `k`, which is not a constant
#>   hint: shift by a constant, or by a tile: `x << (zeros(i32, i, 1) + k)`

#: a shift by a tile
@kernel
def program(x: In[Tensor[i32, M, N]], y: Out[Tensor[i32, M, N]], k: int) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :] << (zeros(i32, i, 1) + k)
#> compiles

#: a number that is shifted
@kernel
def program(x: In[Tensor[i32, M, N]], y: Out[Tensor[i32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = 1 << x[i, :]
#> 4:19 error a2a3.shifted-number: `tile.shl` shifts the number `1`
#>   hint: make it a tile: `full(i32, 1, i)`

#: a tile of a number that is shifted
@kernel
def program(x: In[Tensor[i32, M, N]], y: Out[Tensor[i32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = full(i32, 1, i, N) << x[i, :]
#> compiles

#: a mask and a number
@kernel
def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = where((x[i, :] > 0.0) & True, x[i, :], 0.0)
#> 4:25 error a2a3.mask-number: `tile.bit_and` combines a mask with `True`
#>   hint: choose by the mask alone: `where(mask, x, 0)`

#: a mask alone
@kernel
def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = where(x[i, :] > 0.0, x[i, :], 0.0)
#> compiles

#: a division by 7
@kernel
def program(x: In[Tensor[i32, M, N]], y: Out[Tensor[i32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :] // 7
#> 4:19 error a2a3.division: the divisor `7` is not a power of two
#>   hint: divide floats, below 2 ** 24 exactly: `cast(floor(cast(x, f32) / 7.0), i32)`

#: a division by 7 of floats
@kernel
def program(x: In[Tensor[i32, M, N]], y: Out[Tensor[i32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = cast(floor(cast(x[i, :], f32) / 7.0), i32)
#> compiles

#: a remainder of a division by a tile
@kernel
def program(x: In[Tensor[i32, M, N]], y: Out[Tensor[i32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = 100 % x[i, :]
#> 4:19 error a2a3.division: the divisor `x_tile` is not a power of two
#>   hint: divide floats, below 2 ** 24 exactly: `x - cast(floor(cast(x, f32) / cast(d, f32)), i32) * d`

#: blocks of the first of three dimensions that are reduced over their own
@kernel
def program(x: In[Tensor[f32, M, 6, N]], y: Out[Tensor[f32, M, 6, N]]) -> None:
    for i in tiles(M, 2):
        y[i, :, :] = x[i, :, :] * reduce_max(x[i, :, :], axis=0)
#> 4:9 error a2a3.too-many-dimensions: `Tile[f32, i, 6, N]` has more than two dimensions that are not 1
#>   hint: loop over the dimensions before the last two: `for b in range(B)`
#> 4:22 error a2a3.too-many-dimensions: `Tile[f32, i, 6, N]` has more than two dimensions that are not 1
#>   hint: loop over the dimensions before the last two: `for b in range(B)`
#> 4:35 error a2a3.too-many-dimensions: `Tile[f32, i, 6, N]` has more than two dimensions that are not 1
#>   hint: loop over the dimensions before the last two: `for b in range(B)`

#: blocks of the first of three dimensions that are reduced over another one
@kernel
def program(x: In[Tensor[f32, M, 6, N]], y: Out[Tensor[f32, M, 6, N]]) -> None:
    for i in tiles(M, 2):
        y[i, :, :] = x[i, :, :] * reduce_max(x[i, :, :], axis=1)
#> compiles

#: three dimensions
@kernel
def program(x: In[Tensor[f32, 3, M, N]], y: Out[Tensor[f32, 3, M, N]]) -> None:
    for i in tiles(M, 2):
        y[:, i, :] = exp(x[:, i, :])
#> 4:9 error a2a3.too-many-dimensions: `Tile[f32, 3, i, N]` has more than two dimensions that are not 1
#>   hint: loop over the dimensions before the last two: `for b in range(B)`
#> 4:22 error a2a3.too-many-dimensions: `Tile[f32, 3, i, N]` has more than two dimensions that are not 1
#>   hint: loop over the dimensions before the last two: `for b in range(B)`
#> 4:26 error a2a3.too-many-dimensions: `Tile[f32, 3, i, N]` has more than two dimensions that are not 1
#>   hint: loop over the dimensions before the last two: `for b in range(B)`

#: two dimensions and a loop
@kernel
def program(x: In[Tensor[f32, 3, M, N]], y: Out[Tensor[f32, 3, M, N]]) -> None:
    for b in range(3):
        for i in tiles(M, 2):
            y[b, i, :] = exp(x[b, i, :])
#> compiles

#: a `while`
@kernel
def program(x: In[Tensor[f32, M]], y: Out[Tensor[f32, M]]) -> None:
    for i in tiles(M, 8):
        r = x[i]
        n = 0
        while n < 4:
            r = exp(r)
            n = n + 1
        y[i] = r
#> 6:9 error a2a3.while: a kernel has no `while`
#>   hint: repeat a fixed number of times, and keep what is done: `for n in range(8): r = where(r > 1.0, r * 0.5, r)`

#: a `for` with a mask
@kernel
def program(x: In[Tensor[f32, M]], y: Out[Tensor[f32, M]]) -> None:
    for i in tiles(M, 8):
        r = x[i]
        for n in range(8):
            r = where(r > 1.0, r * 0.5, r)
        y[i] = r
#> compiles

#: a loop whose step is a size
@kernel
def program(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    for p in range(0, M, N):
        y[p, :] = x[p, :]
#> 3:5 note a2a3.one-task-beside: `program` runs on one core of 48 vector cores: a statement stands beside its loops
#>   hint: store all of it in one loop over blocks, and index what is stored by its block: `for i in tiles(M, 16): y[i, :] = …`
#> 3:26 error a2a3.loop-step: the step `N` is not a constant above 0
#>   hint: step by a constant: `for i in range(0, M, 8)`
#> 4:11 note tile.unknown-use: index `p` was not shown to be inside dimension 0: when it is used is not known for all sizes
#>   3:14 not known for all sizes
#>   hint: it is checked when the program runs
#> 4:21 note tile.unknown-use: index `p` was not shown to be inside dimension 0: when it is used is not known for all sizes
#>   3:14 not known for all sizes
#>   hint: it is checked when the program runs

#: a loop whose step is a constant
@kernel
def program(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    for p in range(0, M, 2):
        y[p, :] = x[p, :]
#> 3:5 note a2a3.one-task-beside: `program` runs on one core of 48 vector cores: a statement stands beside its loops
#>   hint: store all of it in one loop over blocks, and index what is stored by its block: `for i in tiles(M, 16): y[i, :] = …`

#: a `while` over elements
@kernel
def program(x: In[Tensor[f32, M]], y: Out[Tensor[f32, M]]) -> None:
    for i in tiles(M, 8):
        r = x[i]
        n = 0
        while n < 8 and holds(reduce_max(r, axis=0) > 1.0):
            r = where(r > 1.0, r * 0.5, r)
            n = n + 1
        y[i] = r
#> 6:9 error a2a3.while: a kernel has no `while`
#>   hint: repeat a fixed number of times, and keep what is done: `for n in range(8): r = where(r > 1.0, r * 0.5, r)`
