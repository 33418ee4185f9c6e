import htp
from htp import In, InOut, Out, bf16, bool_, f16, f32, f64, i8, i16, i32, i64, u8, u16, u32
from htp_tile import Tensor, Tile, argmax, argtopk, buffer, cast, exp, full, gather, index, iota, kernel, load, matmul, maximum, reduce_max, reduce_sum, reshape, scan_sum, tiles, topk, transpose, where, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


#: loops over other blocks
@kernel
def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 16):
        y[i, :] = exp(x[i, :])
    for j in tiles(M, 8):
        z[j, :] = exp(x[j, :])
#> compiles

#: loops over the same blocks
@kernel
def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 16):
        y[i, :] = exp(x[i, :])
        z[i, :] = exp(x[i, :])
#> compiles

#: a store beside the loop
@kernel
def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]], z: Out[Tensor[f32, 1, 1]]) -> None:
    for i in tiles(M, 16):
        y[i, :] = exp(x[i, :])
    z[:, :] = zeros(f32, 1, 1)
#> compiles

#: blocks of the other dimension
@kernel
def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, 1, N]]) -> None:
    s = zeros(f32, 1, N)
    for i in tiles(M, 16):
        s = s + reduce_sum(x[i, :], axis=0)
    y[:, :] = s
#> compiles

#: loops over other blocks that store what no block indexes
@kernel
def program(x: In[Tensor[f32, M, 64]], y: InOut[Tensor[f32, 1, 64]], z: InOut[Tensor[f32, 1, 64]]) -> None:
    for i in tiles(M, 16):
        y[:, :] = reduce_sum(x[i, :], axis=0)
    for j in tiles(M, 8):
        z[:, :] = reduce_sum(x[j, :], axis=0)
#> 5:5 note a2a3.one-task-loops: `program` runs on one core of 48 vector cores: its loops go over different blocks
#>   hint: store all of it in one loop over blocks, and index what is stored by its block: `for i in tiles(M, 16): y[i, :] = …`

#: what goes on from one block to the next
@kernel
def program(x: In[Tensor[f32, M, 64]], y: Out[Tensor[f32, M, 64]]) -> None:
    s = zeros(f32, 1, 64)
    for i in tiles(M, 16):
        s = s * 0.5 + reduce_sum(x[i, :], axis=0)
        y[i, :] = x[i, :] - s
#> 3:5 note a2a3.one-task-beside: `program` runs on one core of 48 vector cores: a statement stands beside its loops
#>   hint: store all of it in one loop over blocks, and index what is stored by its block: `for i in tiles(M, 16): y[i, :] = …`

#: what is stored is not indexed by the block
@kernel
def program(x: In[Tensor[f32, M, 64]], y: InOut[Tensor[f32, 1, 64]]) -> None:
    for i in tiles(M, 16):
        y[:, :] = reduce_sum(x[i, :], axis=0)
#> 4:9 note a2a3.one-task-index: `program` runs on one core of 48 vector cores: `y` is not indexed by `i`
#>   hint: store all of it in one loop over blocks, and index what is stored by its block: `for i in tiles(M, 16): y[i, :] = …`

#: it is
@kernel
def program(x: In[Tensor[f32, M, 64]], y: Out[Tensor[f32, M, 64]]) -> None:
    for i in tiles(M, 16):
        y[i, :] = reduce_sum(x[i, :], axis=0)
#> compiles

#: rows that share lines
@kernel
def program(x: In[Tensor[f32, 64, 100]], y: Out[Tensor[f32, 64, 100]]) -> None:
    for j in tiles(100, 10):
        y[:, j] = exp(x[:, j])
#> 3:5 note a2a3.one-task-lines: `program` runs on one core of 48 vector cores: rows of `y` end within lines of 64 bytes
#>   hint: give the rows a multiple of 64 bytes, or go over the first dimension

#: rows of whole lines
@kernel
def program(x: In[Tensor[f32, 64, 112]], y: Out[Tensor[f32, 64, 112]]) -> None:
    for j in tiles(112, 16):
        y[:, j] = exp(x[:, j])
#> compiles

#: one block
@kernel
def program(x: In[Tensor[f32, 16, 64]], y: Out[Tensor[f32, 16, 64]]) -> None:
    for i in tiles(16, 16):
        y[i, :] = exp(x[i, :])
#> 3:5 note a2a3.one-task-small: `program` runs on one core of 48 vector cores: it is no larger than one task
#>   hint: choose smaller blocks

#: several blocks
@kernel
def program(x: In[Tensor[f32, 16, 64]], y: Out[Tensor[f32, 16, 64]]) -> None:
    for i in tiles(16, 4):
        y[i, :] = exp(x[i, :])
#> compiles

#: more elements than 64 bits count
@kernel
def program(x: In[Tensor[f32, 4611686018427387904, 8]], y: Out[Tensor[f32, 4611686018427387904, 8]]) -> None:
    for i in tiles(4611686018427387904, 1):
        y[i, :] = exp(x[i, :])
#> 3:5 note a2a3.one-task-large: `program` runs on one core of 48 vector cores: its sizes do not fit 64 bits
#>   hint: choose smaller extents

#: fewer of them
@kernel
def program(x: In[Tensor[f32, 4096, 8]], y: Out[Tensor[f32, 4096, 8]]) -> None:
    for i in tiles(4096, 8):
        y[i, :] = exp(x[i, :])
#> compiles
