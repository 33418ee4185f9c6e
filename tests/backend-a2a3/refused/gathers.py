import htp
htp.stage(number=6, after='a2a3.drop_redundant_flags', holds=['Codegen.Ready(target=a2a3)'], then=[], entry='f', target='a2a3')
from htp import In, InOut, Out, bf16, bool_, f16, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64
from htp_tile import Tensor, kernel
import htp_pto as pto


@kernel
def f(x: In[Tensor[f32, 64, 64]], y: Out[Tensor[f32, 64, 64]], p: In[Tensor[f32, 4]], q: In[Tensor[f32, 4, 4, 64]], r: InOut[Tensor[i32, 16, 64]]) -> None:
    with pto.aiv():
        t = pto.tile(f32, 64, 64, valid=(64, 64), at=0)
        pto.tload(t, x, slice(0, 64), slice(0, 64))
        pto.pipe_barrier('ALL')

#: indices of another size
        o = pto.tile(i8, 64, 64, valid=(64, 64), at=16384)
        q = pto.tile(i32, 64, 64, valid=(64, 64), at=32768)
        r = pto.tile(i8, 64, 64, valid=(64, 64), at=65536)
        pto.texpands(o, 1)
        pto.texpands(q, 1)
        pto.pipe_barrier('ALL')
        pto.tscatter(r, o, q)
#> 7:9 error a2a3.operand-dtype: `q` is of i32, and `pto.tscatter` takes i16 u16
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare `q` as one of these

#: offsets
        o = pto.tile(u32, 64, 8, valid=(64, 8), at=16384)
        q = pto.tile(f32, 64, 32, valid=(64, 32), at=32768)
        pto.texpands(o, 0)
        pto.pipe_barrier('ALL')
        pto.tgatherb(q, t, o)
#> 5:9 error a2a3.row-bytes: `pto.tgatherb` fills rows of `q`, 64 x 32, which are not a multiple of 256 bytes
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: let its valid columns be a constant, and a multiple of these bytes

#: offsets of a part of lines
        o = pto.tile(u32, 64, 8, valid=(64, 8), at=16384)
        q = pto.tile(f32, 64, 64, valid=(64, 48), at=32768)
        pto.texpands(o, 0)
        pto.pipe_barrier('ALL')
        pto.tgatherb(q, t, o)
#> 5:9 error a2a3.row-bytes: `pto.tgatherb` fills rows of `q`, 64 x 48, which are not a multiple of 256 bytes
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: let its valid columns be a constant, and a multiple of these bytes

#: offsets of lines
        o = pto.tile(u32, 64, 8, valid=(64, 8), at=16384)
        w = pto.tile(f32, 64, 64, valid=(64, 64), at=32768)
        pto.texpands(o, 0)
        pto.pipe_barrier('ALL')
        pto.tgatherb(w, t, o)
        pto.pipe_barrier('ALL')
        pto.drain()
#> compiles

#: offsets of valid bytes
        o = pto.tile(u32, 64, 8, valid=(64, 8), at=16384)
        q = pto.tile(f32, 64, 64, valid=(64, 64), at=32768)
        pto.texpands(o, 0)
        pto.pipe_barrier('ALL')
        t2 = pto.tile(f32, 64, 64, valid=(63, 64), at=0)
        pto.tgatherb(q, t2, o)
#> 6:9 error a2a3.partly-valid: `pto.tgatherb` takes all bytes of `t2`, of which 63 x 64 are valid
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: let all of it be valid: `valid=(64, 64)`

#: enough offsets
        o = pto.tile(u32, 64, 8, valid=(64, 8), at=16384)
        q = pto.tile(f32, 64, 64, valid=(64, 64), at=32768)
        pto.texpands(o, 0)
        pto.pipe_barrier('ALL')
        pto.tgatherb(q, t, o)
        pto.pipe_barrier('ALL')
        pto.drain()
#> compiles

#: rows of three dimensions
        o = pto.tile(i32, 1, 8, valid=(1, 8), at=40960)
        pto.texpands(o, 0)
        pto.pipe_barrier('ALL')
        g = pto.tile(f32, 8, 64, valid=(8, 64), at=32768)
        pto.mgather(g, q, o)
#> 5:9 error a2a3.not-matrix: `pto.mgather` goes to rows of a matrix, and `q` has 3 dimensions
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give it a tensor of two dimensions

#: rows of a matrix
        o = pto.tile(i32, 1, 8, valid=(1, 8), at=40960)
        pto.texpands(o, 0)
        pto.pipe_barrier('ALL')
        g = pto.tile(f32, 8, 64, valid=(8, 64), at=32768)
        pto.mgather(g, x, o)
        pto.pipe_barrier('ALL')
        pto.drain()
#> compiles

#: rows of another dtype
        o = pto.tile(i32, 1, 8, valid=(1, 8), at=40960)
        pto.texpands(o, 0)
        pto.pipe_barrier('ALL')
        g = pto.tile(f32, 8, 64, valid=(8, 64), at=32768)
        pto.mgather(g, r, o)
#> 5:9 error a2a3.dtypes-differ: `g` is of f32 and `r` of i32, and `pto.mgather` takes one dtype
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare the tile with the tensor's dtype, and convert by `pto.tcvt`

#: indices that are floats
        o = pto.tile(f32, 1, 8, valid=(1, 8), at=40960)
        pto.texpands(o, 0)
        pto.pipe_barrier('ALL')
        g = pto.tile(f32, 8, 64, valid=(8, 64), at=32768)
        pto.mgather(g, x, o)
#> 5:9 error a2a3.operand-dtype: `o` is of f32, and `pto.mgather` takes i32 u32
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare `o` as i32

#: longer rows
        o = pto.tile(i32, 1, 8, valid=(1, 8), at=40960)
        pto.texpands(o, 0)
        pto.pipe_barrier('ALL')
        g = pto.tile(f32, 8, 128, valid=(8, 128), at=32768)
        pto.mgather(g, x, o)
#> 5:9 error a2a3.row-length: rows of `g` are longer than those of `x`, 64
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: let at most 64 columns be valid

#: rows as long
        o = pto.tile(i32, 1, 8, valid=(1, 8), at=40960)
        pto.texpands(o, 0)
        pto.pipe_barrier('ALL')
        g = pto.tile(f32, 8, 128, valid=(8, 64), at=32768)
        pto.mgather(g, x, o)
        pto.pipe_barrier('ALL')
        pto.drain()
#> compiles

#: two rows of indices
        o = pto.tile(i32, 2, 8, valid=(2, 8), at=40960)
        pto.texpands(o, 0)
        pto.pipe_barrier('ALL')
        g = pto.tile(f32, 8, 64, valid=(8, 64), at=32768)
        pto.mgather(g, x, o)
#> 5:9 error a2a3.one-row: `o` has 2 rows, and `pto.mgather` takes one
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: let one row of it be valid

#: no tile of indices
        g = pto.tile(f32, 8, 64, valid=(8, 64), at=32768)
        pto.mgather(g, x, z)
#> 2:27 error a2a3.undeclared: `z` is not a tile that is declared before
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `pto.mgather(rows, table, chosen)`

#: too few operands of a gather
        g = pto.tile(f32, 8, 64, valid=(8, 64), at=32768)
        pto.mgather(g, x)
#> 2:9 error a2a3.operand-count: `pto.mgather`: 3 operands expected, 2 given
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `pto.mgather(rows, table, chosen)`

#: indices of a part of lines
        o = pto.tile(u32, 64, 8, valid=(64, 4), at=16384)
        e = pto.tile(f32, 64, 64, valid=(64, 64), at=32768)
        pto.texpands(o, 0)
        pto.pipe_barrier('ALL')
        pto.tgatherb(e, t, o)
#> 5:9 error a2a3.offset-count: `pto.tgatherb` takes 8 offsets in a row, and `o` has 4
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: let 8 columns be valid

#: indices of lines
        o = pto.tile(u32, 64, 8, valid=(64, 8), at=16384)
        w = pto.tile(f32, 64, 64, valid=(64, 64), at=32768)
        pto.texpands(o, 0)
        pto.pipe_barrier('ALL')
        pto.tgatherb(w, t, o)
        pto.pipe_barrier('ALL')
        pto.drain()
#> compiles
