import htp
from htp import In, InOut, Out, bf16, bool_, f16, f32, f64, i8, i16, i32, i64, u8, u16, u32
from htp_tile import Tensor, Tile, argmax, argtopk, buffer, cast, exp, full, gather, index, iota, kernel, load, matmul, maximum, reduce_max, reduce_sum, reshape, scan_sum, tiles, topk, transpose, where, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


#: blocks that are too large
@kernel
def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, N, M]]) -> None:
    for i in tiles(M, 256):
        for j in tiles(N, 256):
            y[j, i] = transpose(x[i, j])
#> 5:33 error a2a3.buffer-full: the tiles of `program` take 786432 bytes at once, and the unified buffer has 188416
#>   note: bytes of its tiles there, not all of them at once: `x_tile` 262144 (256 x 256 of f32), `transpose` 262144 (256 x 256 of f32), `work` 262144 (256 x 256 of f32)
#>   hint: `for i in tiles(M, 32)` would fit

#: blocks that fit
@kernel
def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, N, M]]) -> None:
    for i in tiles(M, 32):
        for j in tiles(N, 256):
            y[j, i] = transpose(x[i, j])
#> compiles

#: a matrix that is too large
@kernel
def program(x: In[Tensor[f32, 256, 256]], y: Out[Tensor[f32, 256, 256]]) -> None:
    y[:, :] = transpose(x[:, :])
#> 3:5 note a2a3.one-task-beside: `program` runs on one core of 48 vector cores: a statement stands beside its loops
#>   hint: store all of it in one loop over blocks, and index what is stored by its block: `for i in tiles(M, 16): y[i, :] = …`
#> 3:25 error a2a3.buffer-full: the tiles of `program` take 786432 bytes at once, and the unified buffer has 188416
#>   note: bytes of its tiles there, not all of them at once: `x_tile` 262144 (256 x 256 of f32), `transpose` 262144 (256 x 256 of f32), `work` 262144 (256 x 256 of f32)
#>   hint: cut dimensions into smaller blocks: `tiles(M, 4)`

#: a sum that is too large
@kernel
def program(x: In[Tensor[f32, M, 64]], w: In[Tensor[f32, 64, 256]], y: Out[Tensor[f32, M, 256]]) -> None:
    for i in tiles(M, 256):
        y[i, :] = matmul(x[i, :], w[:, :])
#> 4:19 error a2a3.buffer-full: the tiles of `program` take 262144 bytes at once, and L0C has 131072
#>   note: bytes of its tiles there, not all of them at once: `matmul` 262144 (256 x 256 of f32)
#>   hint: `for i in tiles(M, 128)` would fit

#: a sum that fits
@kernel
def program(x: In[Tensor[f32, M, 64]], w: In[Tensor[f32, 64, 256]], y: Out[Tensor[f32, M, 256]]) -> None:
    for i in tiles(M, 128):
        y[i, :] = matmul(x[i, :], w[:, :])
#> compiles

#: rows that are too many
@kernel
def program(x: In[Tensor[f32, M, 4000]], z: Out[Tensor[i32, M]]) -> None:
    for i in tiles(M, 8):
        z[i] = argmax(x[i, :], axis=1)
#> 4:23 error a2a3.buffer-full: the tiles of `program` take 656448 bytes at once, and the unified buffer has 188416
#>   note: bytes of its tiles there, not all of them at once: `x_tile` 128000 (8 x 4000 of f32), `argmax_new_2` 128000 (8 x 4000 of f32), `argmax_new_3` 128000 (8 x 4000 of f32), `argmax_new_4` 128000 (8 x 4000 of f32), `argmax_new_5` 128000 (8 x 4000 of f32), `argmax_new_6` 16384 (32 x 4096 of bool), `argmax_new` 16000 (1 x 4000 of i32), `argmax_new_1` 16000 (1 x 4000 of f32)
#>   hint: `for i in tiles(M, 1)` would fit

#: rows that are too many, as the hint says
@kernel
def program(x: In[Tensor[f32, M, 4000]], z: Out[Tensor[i32, M]]) -> None:
    for i in tiles(M, 1):
        z[i] = argmax(x[i, :], axis=1)
#> compiles

#: a few rows that are too many
@kernel
def program(x: In[Tensor[f32, 4, 4000]], z: Out[Tensor[i32, 4]]) -> None:
    z[:] = argmax(x[:, :], axis=1)
#> 3:5 note a2a3.one-task-beside: `program` runs on one core of 48 vector cores: a statement stands beside its loops
#>   hint: store all of it in one loop over blocks, and index what is stored by its block: `for i in tiles(M, 16): y[i, :] = …`
#> 3:19 error a2a3.buffer-full: the tiles of `program` take 656448 bytes at once, and the unified buffer has 188416
#>   note: bytes of its tiles there, not all of them at once: `x_tile` 128000 (8 x 4000 of f32), `argmax_new_2` 128000 (8 x 4000 of f32), `argmax_new_3` 128000 (8 x 4000 of f32), `argmax_new_4` 128000 (8 x 4000 of f32), `argmax_new_5` 128000 (8 x 4000 of f32), `argmax_new_6` 16384 (32 x 4096 of bool), `argmax_new` 16000 (1 x 4000 of i32), `argmax_new_1` 16000 (1 x 4000 of f32)
#>   hint: go row by row, with `i` for the rows: `for i in tiles(4, 1)`

#: a few rows that are too many, as the hint says
@kernel
def program(x: In[Tensor[f32, 4, 4000]], z: Out[Tensor[i32, 4]]) -> None:
    for i in tiles(4, 1):
        z[i] = argmax(x[i, :], axis=1)
#> 3:5 note a2a3.one-task-small: `program` runs on one core of 48 vector cores: it is no larger than one task
#>   hint: choose smaller blocks

#: a row that is too long
@kernel
def program(x: In[Tensor[f32, M, 16000]], z: Out[Tensor[i32, M]]) -> None:
    for i in tiles(M, 8):
        z[i] = argmax(x[i, :], axis=1)
#> 4:23 error a2a3.buffer-full: the tiles of `program` take 2624576 bytes at once, and the unified buffer has 188416
#>   note: bytes of its tiles there, not all of them at once: `x_tile` 512000 (8 x 16000 of f32), `argmax_new_2` 512000 (8 x 16000 of f32), `argmax_new_3` 512000 (8 x 16000 of f32), `argmax_new_4` 512000 (8 x 16000 of f32), `argmax_new_5` 512000 (8 x 16000 of f32), `argmax_new_6` 64512 (32 x 16128 of bool), `argmax_new` 64000 (1 x 16000 of i32), `argmax_new_1` 64000 (1 x 16000 of f32)
#>   hint: go over `16000` in parts, `for j in tiles(16000, 512)`, and keep in a tile what goes on from one to the next: `best = maximum(best, …)`

#: a row that is too long, as the hint says
@kernel
def program(x: In[Tensor[f32, M, 16000]], z: Out[Tensor[i32, M]]) -> None:
    for i in tiles(M, 8):
        best = full(f32, -3.0e38, i, 1)
        at = zeros(i32, i, 1)
        for j in tiles(16000, 512):
            m = reduce_max(x[i, j], axis=1)
            at = where(m > best, argmax(x[i, j], axis=1) + j.start, at)
            best = maximum(best, m)
        z[i] = at
#> compiles

#: a product that is too large each way
@kernel
def program(x: In[Tensor[f32, M, K]], w: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 512):
        for j in tiles(N, 512):
            a = zeros(f32, i, j)
            for k in tiles(K, 512):
                a = matmul(x[i, k], w[k, j], a)
            y[i, j] = a
#> 7:28 error a2a3.buffer-full: the tiles of `program` take 2097152 bytes at once, and L1 has 524288
#>   note: bytes of its tiles there, not all of them at once: `x_tile_mat` 1048576 (512 x 512 of f32), `w_tile_mat` 1048576 (512 x 512 of f32)
#>   hint: `for i in tiles(M, 128)`, `for j in tiles(N, 256)`, `for k in tiles(K, 256)` would fit together

#: a product that is too large each way, as the hint says
@kernel
def program(x: In[Tensor[f32, M, K]], w: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 128):
        for j in tiles(N, 256):
            a = zeros(f32, i, j)
            for k in tiles(K, 256):
                a = matmul(x[i, k], w[k, j], a)
            y[i, j] = a
#> compiles

#: tiles whose bytes are no number of 64 bits
@kernel
def program(x: In[Tensor[f32, 1099511627776, 1099511627776]], y: Out[Tensor[f32, 1099511627776, 1099511627776]]) -> None:
    y[:, :] = exp(x[:, :])
#> 3:5 note a2a3.one-task-beside: `program` runs on one core of 48 vector cores: a statement stands beside its loops
#>   hint: store all of it in one loop over blocks, and index what is stored by its block: `for i in tiles(M, 16): y[i, :] = …`
#> 3:19 error a2a3.buffer-full: the tiles of `program` take 9223372036854775807 bytes at once, and the unified buffer has 188416
#>   note: bytes of its tiles there, not all of them at once: `x_tile` 9223372036854775807 (1099511627776 x 1099511627776 of f32), `exp` 9223372036854775807 (1099511627776 x 1099511627776 of f32)
#>   hint: cut dimensions into smaller blocks: `tiles(M, 4)`

#: steps of a sum of products whose bytes are none
@kernel
def program(x: In[Tensor[f16, M, 4611686018427387904]], w: In[Tensor[f16, 4611686018427387904, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 64):
        for j in tiles(N, 64):
            a = zeros(f32, i, j)
            for k in tiles(4611686018427387904, 2305843009213693952):
                a = matmul(x[i, k], w[k, j], a)
            y[i, j] = a
#> 7:28 error a2a3.buffer-full: the tiles of `program` take 9223372036854775807 bytes at once, and L1 has 524288
#>   note: bytes of its tiles there, not all of them at once: `x_tile_mat` 9223372036854775807 (64 x 2305843009213693952 of f16), `w_tile_mat` 9223372036854775807 (2305843009213693952 x 64 of f16)
#>   hint: `for k in tiles(4611686018427387904, 2048)` would fit
