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

#: an address between others
        u = pto.tile(f32, 64, 64, valid=(64, 64), at=16388)
#> 1:13 error a2a3.alignment: `u` begins at byte 16388 of the unified buffer, which is no multiple of 32
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: let it begin at 16384 or 16416

#: an address below 0
        u = pto.tile(f32, 64, 64, valid=(64, 64), at=-32)
#> 1:13 error a2a3.alignment: `u` begins at byte -32 of the unified buffer, which is no multiple of 32
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: let it begin at 0 or 32

#: an address behind others
        u = pto.tile(f32, 64, 64, valid=(64, 64), at=16384)
        pto.pipe_barrier('ALL')
        pto.drain()
#> compiles

#: buffers apart
        for turn, k in pto.turns(range(4)):
            u = pto.tile(f32, 1, 64, valid=(1, 64), at=16384 + turn * 260)
#> 2:17 error a2a3.double-alignment: the double buffer of `u` is 260 bytes apart, which is no multiple of 32
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: let them be apart by what it takes, or more: `at=16384 + turn * 256`

#: buffers apart by a multiple of 32
        for turn, k in pto.turns(range(4)):
            u = pto.tile(f32, 1, 64, valid=(1, 64), at=16384 + turn * 256)
        pto.pipe_barrier('ALL')
        pto.drain()
#> compiles

#: behind the end
        u = pto.tile(f32, 64, 64, valid=(64, 64), at=188416)
#> 1:13 error a2a3.space-end: `u` ends at byte 204800 of the unified buffer, which has 188416
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: let it begin at 172032 or before

#: at the end
        u = pto.tile(f32, 64, 64, valid=(64, 64), at=172032)
        pto.pipe_barrier('ALL')
        pto.drain()
#> compiles

#: larger than the memory
        u = pto.tile(f32, 1024, 64, valid=(1024, 64), at=16384)
#> 1:13 error a2a3.space-end: `u` ends at byte 278528 of the unified buffer, which has 188416
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: cut its block: it takes 262144 bytes wherever it begins

#: no address
        u = pto.tile(f32, 64, 64, valid=(64, 64))
#> 1:13 error a2a3.no-address: `u` has no address
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: let it begin behind the others: `at=16384`

#: an address
        u = pto.tile(f32, 64, 64, valid=(64, 64), at=16384)
        pto.pipe_barrier('ALL')
        pto.drain()
#> compiles

#: nothing is valid
        u = pto.tile(f32, 64, 64, at=16384)
#> 1:13 error a2a3.no-valid: `u` does not say which rows and columns are valid
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: name those that count: `valid=(64, 64)`

#: all is valid
        u = pto.tile(f32, 64, 64, valid=(64, 64), at=16384)
        pto.pipe_barrier('ALL')
        pto.drain()
#> compiles

#: rows that are a name
        u = pto.tile(f32, n, 64, valid=(8, 64), at=16384)
#> 1:13 error a2a3.tile-extents: `u` has no constant rows and columns
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write both as numbers: `pto.tile(f32, 8, 64, valid=(n, 64), at=0)`

#: rows that are a number
        u = pto.tile(f32, 64, 64, valid=(8, 64), at=16384)
        pto.pipe_barrier('ALL')
        pto.drain()
#> compiles

#: rows of 240 bytes
        u = pto.tile(f32, 8, 60, valid=(8, 60), at=16384)
#> 1:13 error a2a3.line-bytes: lines of `u` have 240 bytes, and the unified buffer takes multiples of 32 bytes
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare it as 8 x 64 of f32, of which `valid=` says what counts

#: rows of 256 bytes
        u = pto.tile(f32, 8, 64, valid=(8, 60), at=16384)
        pto.pipe_barrier('ALL')
        pto.drain()
#> compiles

#: a column of 12 bytes
        u = pto.tile(f32, 3, 1, valid=(3, 1), at=16384)
#> 1:13 error a2a3.line-bytes: lines of `u` have 12 bytes, and the unified buffer takes multiples of 32 bytes
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare it as 8 x 1 of f32, of which `valid=` says what counts

#: bits that are no bytes
        u = pto.tile(bool_, 8, 64, valid=(8, 64), at=16384)
#> 1:13 error a2a3.line-bytes: lines of `u` have 64 bits, and the unified buffer takes multiples of 32 bytes
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare it as 8 x 256 of bool_, of which `valid=` says what counts

#: a memory that there is not
        u = pto.tile(f32, 64, 64, valid=(64, 64), at=16384, space='l2')
#> 1:13 error a2a3.unknown-space: `'l2'` is not a memory of a core
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: choose one of "ub", "mat", "left", "right", "acc", "bias", "scaling"

#: a memory
        u = pto.tile(f32, 64, 64, valid=(64, 64), at=16384, space='ub')
        pto.pipe_barrier('ALL')
        pto.drain()
#> compiles

#: a dtype that there is not
        u = pto.tile(f64, 64, 64, valid=(64, 64), at=16384)
#> 1:13 error a2a3.unknown-dtype: `f64` is not a dtype of the cores
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare another one

#: a dtype
        u = pto.tile(f32, 64, 64, valid=(64, 64), at=16384)
        pto.pipe_barrier('ALL')
        pto.drain()
#> compiles

#: a memory of cube cores
        u = pto.tile(f32, 64, 64, valid=(64, 64), at=16384, space='mat', layout='nd')
#> 1:13 error a2a3.space-core: `u` is in L1, which vector cores do not have
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare it in a kernel `with pto.aic():`

#: the memory of vector cores
        u = pto.tile(f32, 64, 64, valid=(64, 64), at=16384)
        pto.pipe_barrier('ALL')
        pto.drain()
#> compiles

#: more valid than there is
        u = pto.tile(f32, 64, 64, valid=(65, 64), at=16384)
#> 1:13 error a2a3.valid-extent: `u` has 64 rows, and up to 65 are valid
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare it with 65 rows, or let fewer be valid

#: as much valid as there is
        u = pto.tile(f32, 64, 64, valid=(64, 64), at=16384)
        pto.pipe_barrier('ALL')
        pto.drain()
#> compiles

#: a mask of a cube core
        u = pto.tile(bool_, 64, 256, valid=(64, 256), at=16384, space='mat')
#> 1:13 error a2a3.mask-space: the mask `u` is in L1
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare it without `space=`

#: a mask of a vector core
        u = pto.tile(bool_, 64, 256, valid=(64, 256), at=16384)
        pto.pipe_barrier('ALL')
        pto.drain()
#> compiles
