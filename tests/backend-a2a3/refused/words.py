import htp
import htp_pto as pto
from htp import In, Out, f32, i32, u8
from htp_tile import Tensor, exp, kernel, tiles

M = htp.dim("M")
N = htp.dim("N")


#: an instruction of the program
@kernel
def program(x: In[Tensor[f32, M, N]], z: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 16):
        for j in tiles(N, 256):
            a = x[i, j]
            u = pto.tile(f32, i, j)
            pto.tlrelu(u, a, 0.1)
            y[i, j] = exp(u)
#> compiles

#: a value that is written
@kernel
def program(x: In[Tensor[f32, M, N]], z: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 16):
        for j in tiles(N, 256):
            a = x[i, j]
            u = pto.tile(f32, i, j)
            pto.tlrelu(a, a, 0.1)
            y[i, j] = exp(u)
#> 7:24 error a2a3.writes-value: `pto.tlrelu` writes to `a`, which is not a `pto.tile` of the program
#>   hint: let it write to a tile of its own: `other = pto.tile(…)` with its dtype and extents, and go on with that

#: a tile of the program that is written
@kernel
def program(x: In[Tensor[f32, M, N]], z: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 16):
        for j in tiles(N, 256):
            a = x[i, j]
            u = pto.tile(f32, i, j)
            pto.tlrelu(u, a, 0.1)
            y[i, j] = exp(u)
#> compiles

#: the compiler's own
@kernel
def program(x: In[Tensor[f32, M, N]], z: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 16):
        for j in tiles(N, 256):
            a = x[i, j]
            u = pto.tile(f32, i, j)
            pto.tlrelu(u, a, 0.1)
            pto.drain()
            y[i, j] = exp(u)
#> 8:13 error a2a3.stage-instruction: `pto.drain` stands in a program
#>   hint: leave it out: the compiler writes it

#: none of the compiler's own
@kernel
def program(x: In[Tensor[f32, M, N]], z: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 16):
        for j in tiles(N, 256):
            a = x[i, j]
            u = pto.tile(f32, i, j)
            pto.tlrelu(u, a, 0.2)
            y[i, j] = exp(u)
#> compiles

#: an address
@kernel
def program(x: In[Tensor[f32, M, N]], z: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 16):
        for j in tiles(N, 256):
            a = x[i, j]
            u = pto.tile(f32, i, j, space="acc")
            pto.tlrelu(u, a, 0.1)
            y[i, j] = exp(u)
#> 6:17 error a2a3.program-tile: `u` of a program has an address, a memory or valid extents
#>   hint: leave it to the compiler, and give a dtype and extents alone: `pto.tile(f32, i, j)`

#: no address
@kernel
def program(x: In[Tensor[f32, M, N]], z: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 16):
        for j in tiles(N, 256):
            a = x[i, j]
            u = pto.tile(f32, i, j)
            pto.tlrelu(u, a, 0.3)
            y[i, j] = exp(u)
#> compiles

#: it writes where it reads
@kernel
def program(x: In[Tensor[f32, M, N]], z: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 16):
        for j in tiles(N, 256):
            a = x[i, j]
            u = pto.tile(f32, i, j)
            pto.texp(u, a)
            pto.tfmod(u, u, a)
            y[i, j] = exp(u)
#> 8:13 error a2a3.overlap: `pto.tfmod` writes `u` where it reads `u`
#>   hint: let it write to a tile of its own: `other = pto.tile(f32, i, j)`

#: a tile of its own
@kernel
def program(x: In[Tensor[f32, M, N]], z: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 16):
        for j in tiles(N, 256):
            a = x[i, j]
            u = pto.tile(f32, i, j)
            v = pto.tile(f32, i, j)
            pto.texp(v, a)
            pto.tfmod(u, v, a)
            y[i, j] = exp(u)
#> compiles

#: nothing was written
@kernel
def program(x: In[Tensor[f32, M, N]], z: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 16):
        for j in tiles(N, 256):
            a = x[i, j]
            u = pto.tile(f32, i, j)
            v = pto.tile(f32, i, j)
            pto.texp(u, v)
            y[i, j] = exp(u)
#> 8:13 error a2a3.unwritten: `pto.texp` reads `v`, and nothing has written it before
#>   hint: fill it, `pto.texpands(v, 0)`, or load it before

#: it is filled before
@kernel
def program(x: In[Tensor[f32, M, N]], z: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 16):
        for j in tiles(N, 256):
            a = x[i, j]
            u = pto.tile(f32, i, j)
            v = pto.tile(f32, i, j)
            pto.texpands(v, 0)
            pto.texp(u, v)
            y[i, j] = exp(u)
#> compiles

#: extents that do not agree
@kernel
def program(x: In[Tensor[f32, M, N]], z: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 16):
        for j in tiles(N, 256):
            a = x[i, j]
            u = pto.tile(f32, i, j)
            v = pto.tile(f32, i, j)
            pto.ttrans(u, a, v)
            y[i, j] = exp(u)
#> 8:13 error a2a3.extents: the extents of `pto.ttrans` do not agree: `u` is i x j, `a` is i x j
#>   hint: let rows of the one and columns of the other agree, where they are declared

#: a dtype that it does not take
@kernel
def program(x: In[Tensor[f32, M, N]], z: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 16):
        for j in tiles(N, 256):
            a = x[i, j]
            u = pto.tile(f32, i, j)
            pto.tand(u, a, a)
            y[i, j] = exp(u)
#> 7:13 error a2a3.operand-dtype: `u` is of f32, and `pto.tand` takes bool_ i8 u8 i16 u16 i32 u32
#>   hint: declare `u` so

#: a column by an instruction of whole tiles
@kernel
def program(x: In[Tensor[f32, M, N]], z: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 16):
        for j in tiles(N, 256):
            a = x[i, j]
            u = pto.tile(f32, i, j)
            c = pto.tile(f32, i, 1)
            pto.texpands(c, 1)
            pto.tadd(u, a, c)
            y[i, j] = exp(u)
#> 9:13 error a2a3.extents: the extents of `pto.tadd` do not agree: `u` is i x j, `c` is i x 1
#>   hint: use `pto.trowexpandadd`, by which a column counts for a whole tile

#: a column by its own instruction
@kernel
def program(x: In[Tensor[f32, M, N]], z: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 16):
        for j in tiles(N, 256):
            a = x[i, j]
            u = pto.tile(f32, i, j)
            c = pto.tile(f32, i, 1)
            pto.texpands(c, 1)
            pto.trowexpandadd(u, a, c)
            y[i, j] = exp(u)
#> compiles

#: a row by an instruction of whole tiles
@kernel
def program(x: In[Tensor[f32, M, N]], z: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 16):
        for j in tiles(N, 256):
            a = x[i, j]
            u = pto.tile(f32, i, j)
            c = pto.tile(f32, 1, j)
            pto.texpands(c, 1)
            pto.tadd(u, a, c)
            y[i, j] = exp(u)
#> 9:13 error a2a3.extents: the extents of `pto.tadd` do not agree: `u` is i x j, `c` is 1 x j
#>   hint: use `pto.tcolexpandadd`, by which a row counts for a whole tile

#: a row by its own instruction
@kernel
def program(x: In[Tensor[f32, M, N]], z: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 16):
        for j in tiles(N, 256):
            a = x[i, j]
            u = pto.tile(f32, i, j)
            c = pto.tile(f32, 1, j)
            pto.texpands(c, 1)
            pto.tcolexpandadd(u, a, c)
            y[i, j] = exp(u)
#> compiles

#: a dtype of no core
@kernel
def program(x: In[Tensor[f32, M, N]], z: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 16):
        for j in tiles(N, 256):
            a = x[i, j]
            u = pto.tile(f32, i, j)
            v = pto.tile(htp.f64, i, j)
            pto.texp(u, a)
            y[i, j] = exp(u)
#> 7:17 error a2a3.unknown-dtype: `f64` is not a dtype of the cores
#>   hint: declare another one

#: a product of a number
@kernel
def program(x: In[Tensor[f32, M, N]], z: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 16):
        for j in tiles(N, 256):
            a = x[i, j]
            u = pto.tile(f32, i, j)
            pto.tmatmul(u, a, 2.0)
            y[i, j] = exp(u)
#> 7:13 error a2a3.operand-kind: the operand `right` of `pto.tmatmul` is `2.0`, and a tile is expected
#>   hint: write it as the signature says

#: a tile of one extent
@kernel
def program(x: In[Tensor[f32, M, N]], z: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 16):
        for j in tiles(N, 256):
            a = x[i, j]
            u = pto.tile(f32, i, j)
            v = pto.tile(f32, j)
            pto.texpands(v, 0)
            pto.texp(u, v)
            y[i, j] = exp(u)
#> compiles

#: what `pto.trowmax` works in is too small
@kernel
def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, 1]]) -> None:
    for i in tiles(M, 16):
        for j in tiles(N, 256):
            t = pto.tile(f32, i, 1)
            w = pto.tile(f32, 16, 8)
            pto.trowmax(t, x[i, j], w)
            y[i, :] = t
#> 2:39 warning tile.unwritten-empty: some of `y`, an output, is not written when M = 1 and N = 0
#>   8:13 written here
#>   hint: store to it outside the loop that does not run then
#> 7:13 error a2a3.work-size: `pto.trowmax` of `x_tile`, i_n x j_n, takes 16 x 64 to work in, and `w` has 16 x 8
#>   hint: declare `w` with 16 x 64 of f32 at least

#: what `pto.trowmax` works in is large enough
@kernel
def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, 1]]) -> None:
    for i in tiles(M, 16):
        for j in tiles(N, 256):
            t = pto.tile(f32, i, 1)
            w = pto.tile(f32, 16, 64)
            pto.trowmax(t, x[i, j], w)
            y[i, :] = t
#> 2:39 warning tile.unwritten-empty: some of `y`, an output, is not written when M = 1 and N = 0
#>   8:13 written here
#>   hint: store to it outside the loop that does not run then

#: what `pto.trowargmax` works in is too small
@kernel
def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[i32, M, 1]]) -> None:
    for i in tiles(M, 16):
        for j in tiles(N, 256):
            t = pto.tile(i32, i, 1)
            w = pto.tile(f32, 16, 8)
            pto.trowargmax(t, x[i, j], w)
            y[i, :] = t
#> 2:39 warning tile.unwritten-empty: some of `y`, an output, is not written when M = 1 and N = 0
#>   8:13 written here
#>   hint: store to it outside the loop that does not run then
#> 7:13 error a2a3.work-size: `pto.trowargmax` of `x_tile`, i_n x j_n, takes 16 x 12 to work in, and `w` has 16 x 8
#>   hint: declare `w` with 16 x 12 of f32 at least

#: what `pto.trowargmax` works in is large enough
@kernel
def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[i32, M, 1]]) -> None:
    for i in tiles(M, 16):
        for j in tiles(N, 256):
            t = pto.tile(i32, i, 1)
            w = pto.tile(f32, 16, 16)
            pto.trowargmax(t, x[i, j], w)
            y[i, :] = t
#> 2:39 warning tile.unwritten-empty: some of `y`, an output, is not written when M = 1 and N = 0
#>   8:13 written here
#>   hint: store to it outside the loop that does not run then

#: what `pto.ttrans` works in is too small
@kernel
def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, N, M]]) -> None:
    for i in tiles(M, 16):
        for j in tiles(N, 256):
            t = pto.tile(f32, j, i)
            w = pto.tile(f32, 8, 8)
            pto.ttrans(t, x[i, j], w)
            y[j, i] = t
#> 7:13 error a2a3.work-size: `pto.ttrans` of `x_tile`, i_n x j_n, takes 16384 bytes to work in, and `w` has 8 x 8
#>   hint: declare `w` with 16384 bytes at least

#: what `pto.ttrans` works in is large enough
@kernel
def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, N, M]]) -> None:
    for i in tiles(M, 16):
        for j in tiles(N, 256):
            t = pto.tile(f32, j, i)
            w = pto.tile(f32, 16, 256)
            pto.ttrans(t, x[i, j], w)
            y[j, i] = t
#> compiles

#: what `pto.tprelu` works in is too small
@kernel
def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 16):
        for j in tiles(N, 256):
            t = pto.tile(f32, i, j)
            w = pto.tile(u8, 1, 32)
            pto.tprelu(t, x[i, j], x[i, j], w)
            y[i, j] = t
#> 7:13 error a2a3.work-size: `pto.tprelu` of `x_tile`, i_n x j_n, takes 17 x 32 to work in, and `w` has 1 x 32
#>   hint: declare `w` with 17 x 32 of u8 at least

#: what `pto.tprelu` works in is large enough
@kernel
def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 16):
        for j in tiles(N, 256):
            t = pto.tile(f32, i, j)
            w = pto.tile(u8, 17, 32)
            pto.tprelu(t, x[i, j], x[i, j], w)
            y[i, j] = t
#> compiles

#: what `pto.trowsum` works in is too small
@kernel
def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, 1]]) -> None:
    for i in tiles(M, 16):
        for j in tiles(N, 256):
            t = pto.tile(f32, i, 1)
            w = pto.tile(f32, 16, 64)
            pto.trowsum(t, x[i, j], w)
            y[i, :] = t
#> 2:39 warning tile.unwritten-empty: some of `y`, an output, is not written when M = 1 and N = 0
#>   8:13 written here
#>   hint: store to it outside the loop that does not run then
#> 7:13 error a2a3.work-size: `pto.trowsum` of `x_tile`, i_n x j_n, takes 16 x 128 to work in, and `w` has 16 x 64
#>   hint: declare `w` with 16 x 128 of f32 at least
