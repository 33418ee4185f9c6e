import htp
from htp import In, InOut, Out, bf16, bool_, f16, f32, f64, i8, i16, i32, i64, u8, u16, u32
from htp_tile import Tensor, Tile, argmax, argtopk, buffer, cast, exp, full, gather, index, iota, kernel, load, matmul, maximum, reduce_max, reduce_sum, reshape, scan_sum, tiles, topk, transpose, where, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


#: a scalar of f64
@kernel
def program(x: In[Tensor[f32, M, N]], s: f64, y: Out[Tensor[f32, 1, N]]) -> None:
    for j in tiles(N, 64):
        y[0, j] = x[0, j] * cast(s, f32)
#> 2:39 error a2a3.scalar-dtype: `s` is a scalar of f64
#>   hint: declare it `s: f32`

#: of f32
@kernel
def program(x: In[Tensor[f32, M, N]], s: f32, y: Out[Tensor[f32, 1, N]]) -> None:
    for j in tiles(N, 64):
        y[0, j] = x[0, j] * s
#> compiles

#: a scalar that is a bool
@kernel
def program(x: In[Tensor[f32, M, N]], s: bool_, y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = where(s, x[i, :], 0.0)
#> 2:39 error a2a3.scalar-dtype: `s` is a scalar of bool_
#>   hint: declare it `s: f32`

#: a tensor of f64
@kernel
def program(x: In[Tensor[f64, M]], y: Out[Tensor[f32, M]]) -> None:
    for i in tiles(M, 8):
        y[i] = cast(x[i], f32)
#> 2:13 error a2a3.tensor-dtype: `x` is a tensor of f64
#>   hint: declare it f32, `Tensor[f32, …]`, or i32 for integers

#: of f32 instead
@kernel
def program(x: In[Tensor[f32, M]], y: Out[Tensor[f32, M]]) -> None:
    for i in tiles(M, 8):
        y[i] = x[i]
#> compiles

#: a tensor of fp8 that nothing reads
@kernel
def program(x: In[Tensor[f32, M]], s: In[Tensor[htp.f8e4m3, M]], y: Out[Tensor[f32, M]]) -> None:
    for i in tiles(M, 8):
        y[i] = x[i]
#> 2:36 error a2a3.tensor-dtype: `s` is a tensor of f8e4m3
#>   hint: declare it f32, `Tensor[f32, …]`, or i32 for integers

#: a tensor of bools
@kernel
def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[bool_, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :] > 0.5
#> 2:39 error a2a3.tensor-dtype: `y` is a tensor of bool_
#>   hint: declare it i32, store `where(mask, 1, 0)`, and load `x[i, :] != 0`

#: of i32 instead of bools
@kernel
def program(x: In[Tensor[f32, M, N]], z: In[Tensor[i32, M, N]], y: Out[Tensor[i32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = where(z[i, :] != 0, where(x[i, :] > 0.5, 1, 0), 0)
#> compiles

#: a buffer of f64
@kernel
def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    b = buffer(f64, M, N)
    for i in tiles(M, 8):
        b[i, :] = cast(x[i, :], f64)
        y[i, :] = x[i, :]
#> 3:9 error a2a3.no-instruction: `tile.buffer` of f64 has no instruction on a2a3
#>   hint: declare it `f32`, and convert arrays before the call: these cores have no f64
#> 5:9 warning tile.dead-store: nothing reads what is stored to `b` here
#>   hint: leave it out, or read it before
#> 5:9 error a2a3.no-instruction: `tile.store` of f64 has no instruction on a2a3
#>   hint: declare it `f32`, and convert arrays before the call: these cores have no f64
#> 5:19 error a2a3.conversion: `tile.cast` does not convert f32 to f64
#>   hint: cast to `f32`, and declare what it is stored to so: nothing converts to f64

#: a buffer of f32
@kernel
def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    b = buffer(f32, M, N)
    for i in tiles(M, 8):
        b[i, :] = x[i, :]
        y[i, :] = b[i, :] + 1.0
#> compiles

#: a sum of u32
@kernel
def program(x: In[Tensor[u32, M, N]], y: Out[Tensor[u32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :] + x[i, :]
#> 4:19 error a2a3.no-instruction: `tile.add` of u32 has no instruction on a2a3
#>   hint: declare it `i32`, which these cores calculate with

#: a sum of i32
@kernel
def program(x: In[Tensor[i32, M, N]], y: Out[Tensor[i32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :] + x[i, :]
#> compiles

#: a cast of i32 to bf16
@kernel
def program(x: In[Tensor[i32, M, N]], y: Out[Tensor[bf16, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = cast(x[i, :], bf16)
#> 4:19 error a2a3.conversion: `tile.cast` does not convert i32 to bf16
#>   hint: cast in two steps: `cast(cast(x, f32), bf16)`

#: a cast of i32 to bf16, as the hint says
@kernel
def program(x: In[Tensor[i32, M, N]], y: Out[Tensor[bf16, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = cast(cast(x[i, :], f32), bf16)
#> compiles

#: a cast of f32 to u16
@kernel
def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[u16, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = cast(x[i, :], u16)
#> 4:19 error a2a3.conversion: `tile.cast` does not convert f32 to u16
#>   hint: cast to `i16`, and declare what it is stored to so: nothing converts to u16

#: a cast of f32 to i16, as the hint says
@kernel
def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[i16, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = cast(x[i, :], i16)
#> compiles

#: a cast of u32 to f16
@kernel
def program(x: In[Tensor[u32, M, N]], y: Out[Tensor[f16, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = cast(x[i, :], f16)
#> 4:19 error a2a3.conversion: `tile.cast` does not convert u32 to f16
#>   hint: declare it `i32`, and convert arrays before the call: nothing converts u32

#: a cast of i32 to f16, as the hint says
@kernel
def program(x: In[Tensor[i32, M, N]], y: Out[Tensor[f16, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = cast(x[i, :], f16)
#> compiles

#: a cast that rounds down
@kernel
def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f16, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = cast(x[i, :], f16, rounding="down")
#> 4:19 error a2a3.rounding: a cast of f32 to f16 does not round by `down`
#>   hint: leave `rounding` out

#: a cast that rounds to the nearest
@kernel
def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f16, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = cast(x[i, :], f16)
#> compiles

#: a product of i32
@kernel
def program(x: In[Tensor[i32, M, 64]], w: In[Tensor[i32, 64, 64]], y: Out[Tensor[i32, M, 64]]) -> None:
    for i in tiles(M, 16):
        y[i, :] = matmul(x[i, :], w[:, :])
#> 4:19 error a2a3.product-dtypes: the cube cores do not multiply i32 by i32
#>   hint: multiply f16, bf16 or f32 to f32, and i8 to i32: cast what f16, bf16 or i8 tiles hold, and not what was computed

#: a product of f32
@kernel
def program(x: In[Tensor[f32, M, 64]], w: In[Tensor[f32, 64, 64]], y: Out[Tensor[f32, M, 64]]) -> None:
    for i in tiles(M, 16):
        y[i, :] = matmul(x[i, :], w[:, :])
#> compiles

#: a product of i8 into i8
@kernel
def program(x: In[Tensor[i8, M, 64]], w: In[Tensor[i8, 64, 64]], y: Out[Tensor[i8, M, 64]]) -> None:
    for i in tiles(M, 16):
        y[i, :] = matmul(x[i, :], w[:, :])
#> 4:19 error a2a3.no-instruction: `tile.matmul` of i8 has no instruction on a2a3
#>   hint: add up in i32: `matmul(a, b, zeros(i32, i, 64))`

#: a product of i8 into i32
@kernel
def program(x: In[Tensor[i8, M, 64]], w: In[Tensor[i8, 64, 64]], y: Out[Tensor[i32, M, 64]]) -> None:
    for i in tiles(M, 16):
        y[i, :] = matmul(x[i, :], w[:, :], zeros(i32, i, 64))
#> compiles

#: i8 that is cast and stored
@kernel
def program(x: In[Tensor[i8, M, N]], y: Out[Tensor[i32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = cast(x[i, :], i32)
#> compiles

#: i8 that is cast and multiplied
@kernel
def program(x: In[Tensor[i8, M, 64]], w: In[Tensor[i8, 64, 64]], y: Out[Tensor[i32, M, 64]]) -> None:
    for i in tiles(M, 16):
        y[i, :] = matmul(cast(x[i, :], i32), cast(w[:, :], i32))
#> compiles

#: a cast of i8 to i64
@kernel
def program(x: In[Tensor[i8, M, N]], y: Out[Tensor[i64, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = cast(x[i, :], i64)
#> 4:19 error a2a3.conversion: `tile.cast` does not convert i8 to i64
#>   hint: cast to `i32`, and declare what it is stored to so: nothing converts to i64

#: a cast of i8 to i32, as the hint says
@kernel
def program(x: In[Tensor[i8, M, N]], y: Out[Tensor[i32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = cast(x[i, :], i32)
#> compiles

#: a cast of i64 to f32
@kernel
def program(x: In[Tensor[i64, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = cast(x[i, :], f32)
#> 4:19 error a2a3.conversion: `tile.cast` does not convert i64 to f32
#>   hint: declare it `i32`, and convert arrays before the call: nothing converts i64

#: a cast of i32 to f32, as the hint says
@kernel
def program(x: In[Tensor[i32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = cast(x[i, :], f32)
#> compiles

#: a buffer of fp8
@kernel
def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    b = buffer(htp.f8e4m3, M, N)
    for i in tiles(M, 8):
        y[i, :] = x[i, :]
#> 3:9 error a2a3.no-instruction: `tile.buffer` of f8e4m3 has no instruction on a2a3
#>   hint: declare it `f16` or `i8`, and convert arrays before the call: these cores have no 8-bit floats
