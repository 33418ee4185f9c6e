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

#: a part of what it reads is written
        u = pto.tile(f32, 64, 64, valid=(64, 64), at=8192)
        pto.texp(u, t)
#> 2:9 error a2a3.overlap: `pto.texp` writes `u` where it reads `t`
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: let both begin at the same byte, or share none: another `at=`

#: a part of what it reads is written, mended
        u = pto.tile(f32, 64, 64, valid=(64, 64), at=16384)
        pto.texp(u, t)
        pto.pipe_barrier('ALL')
        pto.drain()
#> compiles

#: what it reads is written
        u = pto.tile(f32, 64, 64, valid=(64, 64), at=0)
        pto.trecip(u, t)
#> 2:9 error a2a3.overlap: `pto.trecip` writes `u` where it reads `t`
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give `u` bytes of its own: another `at=`

#: other extents
        u = pto.tile(f32, 64, 32, valid=(64, 32), at=16384)
        pto.texp(u, t)
#> 2:9 error a2a3.extents: the extents of `pto.texp` do not agree: `u` is 64 x 32, `t` is 64 x 64
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give both the same valid rows and columns: `valid=`

#: two dtypes
        u = pto.tile(f16, 64, 64, valid=(64, 64), at=16384)
        pto.texp(u, t)
#> 2:9 error a2a3.dtypes-differ: `u` is of f16 and `t` of f32, and `pto.texp` takes one dtype
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare both with one dtype, or convert by `pto.tcvt`

#: two dtypes, mended
        u = pto.tile(f32, 64, 64, valid=(64, 64), at=16384)
        pto.texp(u, t)
        pto.pipe_barrier('ALL')
        pto.drain()
#> compiles

#: a dtype that it does not take
        u = pto.tile(i8, 64, 64, valid=(64, 64), at=16384)
        pto.tadd(u, u, u)
#> 2:9 error a2a3.operand-dtype: `u` is of i8, and `pto.tadd` takes f16 f32 i16 i32
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare `u` so

#: a dtype that it takes
        u = pto.tile(i16, 64, 64, valid=(64, 64), at=16384)
        pto.texpands(u, 0)
        pto.pipe_barrier('V')
        pto.tadd(u, u, u)
        pto.pipe_barrier('ALL')
        pto.drain()
#> compiles

#: a way to round that there is not
        u = pto.tile(i32, 64, 64, valid=(64, 64), at=16384)
        pto.tcvt(u, t, 'RIGHT')
#> 2:24 error a2a3.mode: `pto.tcvt` has no mode `RIGHT`
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: choose one of NONE RINT TRUNC FLOOR CEIL

#: a way to round
        u = pto.tile(i32, 64, 64, valid=(64, 64), at=16384)
        pto.tcvt(u, t, 'RINT')
        pto.pipe_barrier('ALL')
        pto.drain()
#> compiles

#: a comparison that there is not
        u = pto.tile(bool_, 64, 256, valid=(64, 64), at=16384)
        pto.tcmps(u, t, 0, '<')
#> 2:28 error a2a3.mode: `pto.tcmps` has no mode `<`
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: choose one of EQ NE LT LE GT GE

#: too few operands
        u = pto.tile(f32, 64, 64, valid=(64, 64), at=16384)
        pto.tadd(u, t)
#> 2:9 error a2a3.operand-count: `pto.tadd`: 3 operands expected, 2 given
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `pto.tadd(y, a, b)`

#: one operand
        u = pto.tile(f32, 64, 64, valid=(64, 64), at=16384)
        pto.texp(u)
#> 2:9 error a2a3.operand-count: `pto.texp`: 2 operands expected, 1 given
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `pto.texp(y, x)`

#: a number for a tile
        u = pto.tile(f32, 64, 64, valid=(64, 64), at=16384)
        pto.tadd(u, t, 1.0)
#> 2:24 error a2a3.operand-kind: the operand `b` of `pto.tadd` is `1.0`, and a tile is expected
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `pto.tadd(y, a, b)`

#: a tile for a number
        u = pto.tile(f32, 64, 64, valid=(64, 64), at=16384)
        pto.tadds(u, t, t)
#> 2:25 error a2a3.operand-kind: the operand `b` of `pto.tadds` is `t`, and a number is expected
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `pto.tadds(y, x, 2)`

#: a tile for a string
        u = pto.tile(i32, 64, 64, valid=(64, 64), at=16384)
        pto.tcvt(u, t, t)
#> 2:24 error a2a3.operand-kind: the operand `mode` of `pto.tcvt` is `t`, and a string is expected
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `pto.tcvt(wide, narrow, "NONE")`

#: a number for a number
        u = pto.tile(f32, 64, 64, valid=(64, 64), at=16384)
        pto.tadds(u, t, 1.0)
        pto.pipe_barrier('ALL')
        pto.drain()
#> compiles

#: no instruction
        u = pto.tile(f32, 64, 64, valid=(64, 64), at=16384)
        pto.tmaximum(u, t)
#> 2:9 error a2a3.unknown-instruction: `pto.tmaximum` is not an instruction
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: choose one that `htp-host ops` lists

#: an instruction
        u = pto.tile(f32, 64, 64, valid=(64, 64), at=16384)
        pto.tmaxs(u, t, 0.0)
        pto.pipe_barrier('ALL')
        pto.drain()
#> compiles

#: a name that there is not
        u = pto.tile(f32, 64, 64, valid=(64, 64), at=16384)
        pto.texp(u, g)
#> 2:21 error a2a3.undeclared: `g` is not a tile that is declared before
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare it: `g = pto.tile(…)`

#: a name that is declared
        u = pto.tile(f32, 64, 64, valid=(64, 64), at=16384)
        g = pto.tile(f32, 64, 64, valid=(64, 64), at=32768)
        pto.texpands(g, 0)
        pto.pipe_barrier('V')
        pto.texp(u, g)
        pto.pipe_barrier('ALL')
        pto.drain()
#> compiles

#: a result that there is not
        pto.texp(g, t)
#> 1:9 error a2a3.undeclared: `g` is not a tile that is declared before
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare it: `g = pto.tile(…)`

#: no tensor
        pto.tload(t, g, slice(0, 64), slice(0, 64))
#> 1:9 error a2a3.not-tensor: `g` is not a tensor
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `pto.tload(row, x, slice(i_at, i_at + i_n), whole)`

#: a tensor
        pto.tload(t, x, slice(0, 64), slice(0, 64))
        pto.pipe_barrier('ALL')
        pto.drain()
#> compiles

#: an index too few
        pto.tload(t, x, slice(0, 64))
#> 1:9 error a2a3.index-count: `pto.tload` has 1 indices for the 2 dimensions of `x`
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `pto.tload(row, x, slice(i_at, i_at + i_n), whole)`

#: an index for each dimension
        pto.tload(t, x, slice(0, 64), slice(0, 64))
        pto.pipe_barrier('ALL')
        pto.drain()
#> compiles

#: an index that is a string
        pto.tload(t, x, slice(None, 64), slice(0, 64))
#> 1:25 error a2a3.index: the index `slice(None, 64)` is not a block, a slice or an int of loop variables
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: index by a loop variable: `for n in range(M): y[n, :] = x[2 * n, :]`

#: an int that there is not
        pto.tload(t, x, slice(0, k), slice(0, 64))
#> 1:34 error a2a3.not-int: `k` is not an int of sizes, constants and loop variables
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write it with `+`, `-`, `*`, `//`, `%`, `min` and `max`

#: an int that there is
        k = 64
        pto.tload(t, x, slice(0, k), slice(0, 64))
        pto.pipe_barrier('ALL')
        pto.drain()
#> compiles

#: an int of an element
        pto.tload(t, x, slice(0, x[0]), slice(0, 64))
#> 1:34 error a2a3.not-int: `x[0]` is not an int of sizes, constants and loop variables
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write it with `+`, `-`, `*`, `//`, `%`, `min` and `max`

#: an int of a division
        k = 64 / 2
#> 1:13 error a2a3.not-int: `64 / 2` is not an int of sizes, constants and loop variables
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write it with `+`, `-`, `*`, `//`, `%`, `min` and `max`

#: an int of a quotient
        k = 64 // 2
        pto.pipe_barrier('ALL')
        pto.drain()
#> compiles

#: an int twice
        k = 64
        k = 32
#> 2:9 error a2a3.int-changes: the int `k` has more than one value
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: compute it from sizes and loop variables where it is used

#: an int that is no int of an input
        k = pto.value(p, 0)
#> 1:9 error a2a3.not-element: `pto.value(p, 0)` is not an element of an input of i32 or i64
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: store the int in the input, and read it as it is: `index(n[m])`

#: rows behind the tensor
        pto.tload(t, x, slice(1, 65), slice(0, 64))
#> 1:25 error a2a3.outside-tensor: the index `slice(1, 65)` leaves `x`, which has 64 elements there
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: end at 64: `min(…, 64)`, and begin at 0

#: rows of the tensor
        pto.tload(t, x, slice(0, 64), slice(0, 64))
        pto.pipe_barrier('ALL')
        pto.drain()
#> compiles

#: fewer rows than the tile has
        pto.tload(t, x, slice(0, 32), slice(0, 64))
#> 1:25 error a2a3.slice-extent: `slice(0, 32)` of `x` has another extent than `t`, 64 x 64
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give both the same extents

#: as many rows as the tile has
        pto.tload(t, x, slice(0, 64), slice(0, 64))
        pto.pipe_barrier('ALL')
        pto.drain()
#> compiles

#: another dtype than the tensor's
        u = pto.tile(f16, 64, 64, valid=(64, 64), at=16384)
        pto.tload(u, x, slice(0, 64), slice(0, 64))
#> 2:9 error a2a3.dtypes-differ: `u` is of f16 and `x` of f32, and `pto.tload` takes one dtype
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare the tile with the tensor's dtype, and convert by `pto.tcvt`

#: nothing was written
        u = pto.tile(f32, 64, 64, valid=(64, 64), at=16384)
        pto.texp(t, u)
#> 2:9 error a2a3.unwritten: `pto.texp` reads `u`, and nothing has written it before
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: fill it, `pto.texpands(u, 0)`, or load it before

#: what another tile left at the same address
        u = pto.tile(f32, 64, 64, valid=(64, 64), at=16384)
        pto.tadds(u, t, 1.0)
        pto.pipe_barrier('ALL')
        v = pto.tile(f32, 64, 64, valid=(64, 64), at=16384)
        pto.texp(t, v)
#> 5:9 error a2a3.unwritten: `pto.texp` reads `v`, and nothing has written it before
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: fill it, `pto.texpands(v, 0)`, or load it before

#: what another tile left at the same address, and is kept
        u = pto.tile(f32, 64, 64, valid=(64, 64), at=16384)
        pto.tadds(u, t, 1.0)
        pto.pipe_barrier('ALL')
        v = pto.tile(f32, 64, 64, valid=(64, 64), at=16384, kept=True)
        pto.texp(t, v)
        pto.drain()
#> compiles

#: a tile that is declared where one is read afterwards
        u = pto.tile(f32, 64, 64, valid=(64, 64), at=16384)
        pto.tadds(u, t, 1.0)
        v = pto.tile(f32, 64, 64, valid=(64, 64), at=16384)
        pto.pipe_barrier('ALL')
        pto.texp(t, u)
#> 5:9 error a2a3.overwritten: `pto.texp` reads `u`, where `v` has been written since
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give `v` bytes of its own: another `at=`

#: what the other way of a branch writes
        u = pto.tile(f32, 64, 64, valid=(64, 64), at=16384)
        for k in range(4):
            v = pto.tile(f32, 64, 64, valid=(64, 64), at=32768)
            pto.pipe_barrier('ALL')
            if k == 0:
                pto.tadds(v, t, 1.0)
            else:
                pto.texp(u, v)
#> 8:17 error a2a3.unwritten: `pto.texp` reads `v`, and nothing has written it before
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: fill it, `pto.texpands(v, 0)`, or load it before

#: another tile was written since
        u = pto.tile(f32, 64, 64, valid=(64, 64), at=16384)
        o = pto.tile(f32, 64, 64, valid=(64, 64), at=16384)
        pto.texp(u, t)
        pto.pipe_barrier('ALL')
        pto.tadds(o, t, 1.0)
        pto.pipe_barrier('ALL')
        pto.tadd(t, t, u)
#> 7:9 error a2a3.overwritten: `pto.tadd` reads `u`, where `o` has been written since
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give `o` bytes of its own: another `at=`

#: another tile was written elsewhere
        u = pto.tile(f32, 64, 64, valid=(64, 64), at=16384)
        o = pto.tile(f32, 64, 64, valid=(64, 64), at=32768)
        pto.texp(u, t)
        pto.pipe_barrier('ALL')
        pto.tadds(o, t, 1.0)
        pto.pipe_barrier('ALL')
        pto.tadd(t, t, u)
        pto.pipe_barrier('ALL')
        pto.drain()
#> compiles

#: another statement
        print(t)
#> 1:9 error a2a3.statement: `print(t)` is not a statement of a kernel
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write it as one of these, or leave it out

#: none
        pto.texp(t, t)
        pto.pipe_barrier('ALL')
        pto.drain()
#> compiles

#: a loop over a list
        for k in [1, 2]:
            pto.texp(t, t)
#> 1:9 error a2a3.loop-range: a kernel has no loop over `[1, 2]`
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `for i in tiles(M, 8)` or `for i in range(8)`

#: a loop over a range
        for k in range(2):
            pto.pipe_barrier('V')
            pto.texp(t, t)
        pto.pipe_barrier('ALL')
        pto.drain()
#> compiles

#: turns of no name
        for (a, b), k in pto.turns(range(3)):
            pto.texp(t, t)
#> 1:13 error a2a3.loop-range: a kernel has no loop over `pto.turns(range(3))`
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `for i in tiles(M, 8)` or `for i in range(8)`

#: a loop downwards
        for k in range(8, 0, -1):
            pto.texp(t, t)
#> 1:30 error a2a3.loop-step: the step `-1` is not a constant above 0
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: step by a constant: `for i in range(0, M, 8)`

#: a condition that is no comparison
        if 1:
            pto.texp(t, t)
#> 1:12 error a2a3.condition: the condition `1` is not a comparison of ints
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: compare it with 0: `k != 0`

#: work where it reads
        s = pto.tile(f32, 64, 1, valid=(64, 1), at=16384)
        w = pto.tile(f32, 64, 64, valid=(64, 64), at=0)
        pto.trowsum(s, t, w)
#> 3:9 error a2a3.overlap: `pto.trowsum` writes `w` where it reads `t`
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give `w` bytes of its own: another `at=`

#: work of its own
        s = pto.tile(f32, 64, 1, valid=(64, 1), at=16384)
        w = pto.tile(f32, 64, 64, valid=(64, 64), at=32768)
        pto.trowsum(s, t, w)
        pto.pipe_barrier('ALL')
        pto.drain()
#> compiles

#: a fill elsewhere
        u = pto.tile(f32, 64, 64, valid=(64, 64), at=16384, pad='zero')
        pto.tfillpad_inplace(u, t)
#> 2:9 error a2a3.not-in-place: `pto.tfillpad_inplace` fills `u`, and `t` has another address
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give both the same `at=`, or use `pto.tfillpad`

#: a fill in place
        u = pto.tile(f32, 64, 64, valid=(64, 64), at=0, pad='zero', kept=True)
        pto.tfillpad_inplace(u, t)
        pto.pipe_barrier('ALL')
        pto.drain()
#> compiles

#: a fill in place of a tile that keeps nothing
        u = pto.tile(f32, 64, 64, valid=(64, 64), at=0, pad='zero')
        pto.tfillpad_inplace(u, t)
        pto.pipe_barrier('ALL')
        pto.drain()
#> 2:9 error a2a3.overwritten: `pto.tfillpad_inplace` reads `t`, where `u` has been written since
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give `u` bytes of its own: another `at=`

#: nothing to fill with
        u = pto.tile(f32, 64, 64, valid=(64, 64), at=16384)
        pto.tfillpad(u, t)
#> 2:9 error a2a3.no-pad: `u` has no `pad=`, which `pto.tfillpad` fills it with
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give it `pad="zero"`, `"max"` or `"min"`

#: zeros to fill with
        u = pto.tile(f32, 64, 64, valid=(64, 64), at=16384, pad='zero')
        pto.tfillpad(u, t)
        pto.pipe_barrier('ALL')
        pto.drain()
#> compiles

#: a fill of another size
        u = pto.tile(f32, 64, 128, valid=(64, 64), at=16384, pad='zero')
        pto.tfillpad(u, t)
#> 2:9 error a2a3.sizes: the sizes of `pto.tfillpad` do not agree: `u` is 64 x 128 in memory, `t` is 64 x 64
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare both alike, or use `pto.tfillpad_expand`

#: a fill into a larger tile
        u = pto.tile(f32, 64, 128, valid=(64, 128), at=16384, pad='zero')
        pto.tfillpad_expand(u, t)
        pto.pipe_barrier('ALL')
        pto.drain()
#> compiles

#: a fill of less
        u = pto.tile(f32, 64, 64, valid=(32, 64), at=16384, pad='zero')
        pto.tfillpad(u, t)
#> 2:9 error a2a3.extents: the extents of `pto.tfillpad` do not agree: `u` is 32 x 64, `t` is 64 x 64
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: let at least 64 x 64 of `u` be valid

#: a conversion that there is not
        u = pto.tile(i8, 64, 64, valid=(64, 64), at=16384)
        pto.tcvt(u, t, 'RINT')
#> 2:9 error a2a3.conversion: `pto.tcvt` does not convert f32 to i8
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: convert to one of f16 bf16 i16 i32 i64, and from there

#: a remainder of many columns
        u = pto.tile(f32, 8, 128, valid=(8, 128), at=0)
        o = pto.tile(f32, 8, 128, valid=(8, 128), at=16384)
        w = pto.tile(f32, 8, 64, valid=(8, 64), at=32768)
        pto.texpands(u, 1)
        pto.pipe_barrier('ALL')
        pto.trems(o, u, 3.0, w)
#> 6:9 error a2a3.column-count: `pto.trems` takes up to 64 columns, and `o` has more
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: use `pto.trem`, or cut the rows

#: a remainder of 64 columns
        u = pto.tile(f32, 8, 64, valid=(8, 64), at=0)
        o = pto.tile(f32, 8, 64, valid=(8, 64), at=16384)
        w = pto.tile(f32, 8, 64, valid=(8, 64), at=32768)
        pto.texpands(u, 1)
        pto.pipe_barrier('ALL')
        pto.trems(o, u, 3.0, w)
        pto.pipe_barrier('ALL')
        pto.drain()
#> compiles

#: a remainder of many rows of work
        u = pto.tile(f32, 8, 64, valid=(8, 64), at=0)
        o = pto.tile(f32, 8, 64, valid=(8, 64), at=16384)
        w = pto.tile(f32, 1, 64, valid=(1, 8), at=32768)
        pto.texpands(u, 1)
        pto.pipe_barrier('ALL')
        pto.trems(o, u, 3.0, w)
#> 6:9 error a2a3.work-size: `pto.trems` of `o`, 8 x 64, takes 64 columns to work in, and `w` has 1 x 8
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: let at least 64 columns of it be valid

#: scales of another dtype
        w = pto.tile(f32, 1, 64, valid=(1, 64), at=16384)
        o = pto.tile(f32, 64, 64, valid=(64, 64), at=32768)
        q = pto.tile(f32, 64, 64, valid=(64, 64), at=65536)
        pto.texpands(o, 1)
        pto.pipe_barrier('ALL')
        pto.tprelu(q, t, o, w)
#> 6:9 error a2a3.operand-dtype: `w` is of f32, and `pto.tprelu` takes u8
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare it as u8

#: too many dimensions
        pto.tload(t, x, slice(0, 64), slice(0, 64), slice(0, 1))
#> 1:9 error a2a3.index-count: `pto.tload` has 3 indices for the 2 dimensions of `x`
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `pto.tload(row, x, slice(i_at, i_at + i_n), whole)`

#: a gather from a vector
        o = pto.tile(i32, 1, 64, valid=(1, 64), at=16384)
        pto.tload(o, x, 0, slice(0, 64))
#> 2:9 error a2a3.dtypes-differ: `o` is of i32 and `x` of f32, and `pto.tload` takes one dtype
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare the tile with the tensor's dtype, and convert by `pto.tcvt`

#: an instruction of cube cores
        l = pto.tile(f32, 64, 64, valid=(64, 64), at=16384)
        pto.tmatmul(l, t, t)
#> 2:9 error a2a3.core-instruction: `pto.tmatmul` is an instruction of cube cores, in a kernel for vector cores
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: move it to a kernel `with pto.aic():`, and let what it makes go through `pto.gm`

#: three dimensions
        u = pto.tile(f32, 16, 64, valid=(16, 64), at=16384)
        pto.tload(u, q, slice(0, 4), slice(0, 4), slice(0, 64))
#> 2:9 error a2a3.transfer-dimensions: `pto.tload` moves 3 dimensions, 2 available
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give ints for the others, in a loop

#: two dimensions
        u = pto.tile(f32, 8, 64, valid=(4, 64), at=16384)
        pto.tload(u, q, 0, slice(0, 4), slice(0, 64))
        pto.pipe_barrier('ALL')
        pto.drain()
#> compiles
