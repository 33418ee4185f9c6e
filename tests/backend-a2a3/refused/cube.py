import htp
htp.stage(number=5, after='a2a3.allocate_buffers', holds=['A2a3.Placed'], then=['a2a3.drop_unused_ints', 'a2a3.cluster_loads', 'a2a3.insert_flags', 'a2a3.drop_redundant_flags'], entry='f', target='a2a3')
from htp import In, InOut, Out, bf16, bool_, f16, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64
from htp_tile import Tensor, kernel
import htp_pto as pto


@kernel
def f(a: In[Tensor[f16, 32, 32]], b: In[Tensor[f16, 32, 32]], e: In[Tensor[u64, 1, 32]], q: In[Tensor[f32, 1, 32]], n: In[Tensor[i32, 1, 32]], c: InOut[Tensor[f32, 32, 32]], d: InOut[Tensor[i8, 32, 32]], g: InOut[Tensor[f16, 32, 32]]) -> None:
    with pto.one_by_one('aic'):
        am = pto.tile(f16, 32, 32, valid=(32, 32), at=0, space='mat')
        pto.tload(am, a, slice(0, 32), slice(0, 32))
        bm = pto.tile(f16, 32, 32, valid=(32, 32), at=2048, space='mat')
        pto.tload(bm, b, slice(0, 32), slice(0, 32))
        al = pto.tile(f16, 32, 32, valid=(32, 32), at=0, space='left')
        pto.tmov(al, am)
        br = pto.tile(f16, 32, 32, valid=(32, 32), at=0, space='right')
        pto.tmov(br, bm)
        acc = pto.tile(f32, 32, 32, valid=(32, 32), at=0, space='acc')
        pto.tmatmul(acc, al, br)

#: a product that is stored
        pto.tstore(c, acc, slice(0, 32), slice(0, 32))
#> compiles

#: a sum in the unified buffer
        t = pto.tile(f32, 32, 32, valid=(32, 32), at=0)
        pto.tmov(t, acc)
#> 2:9 error a2a3.no-path: `pto.tmov` does not move `acc` from L0C to `t` in the unified buffer
#>   note: this stage says `A2a3.Placed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: move it through global memory: `g = pto.gm(f32, rows, columns)` before the kernels, `pto.tstore(g, acc, …)` here, and `pto.tload(t, g, …)` in a kernel behind, `with pto.aiv():`

#: a sum to L0A
        pto.tmov(al, acc)
#> 1:9 error a2a3.no-path: `pto.tmov` does not move `acc` from L0C to `al` in L0A
#>   note: this stage says `A2a3.Placed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: move it through L1: `pto.tmov(block, acc)` to a tile of f16 or bf16 there, `space="mat"`, and on from there

#: L1 to L0C
        pto.tmov(acc, am)
#> 1:9 error a2a3.no-path: `pto.tmov` does not move `am` from L1 to `acc` in L0C
#>   note: this stage says `A2a3.Placed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: make sums there: `pto.tmatmul(acc, left, right)`

#: L0A to L1
        pto.tmov(am, al)
#> 1:9 error a2a3.no-path: `pto.tmov` does not move `al` from L0A to `am` in L1
#>   note: this stage says `A2a3.Placed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: load L1 from global memory, `pto.tload`, or move sums from L0C

#: L0B to L0A
        pto.tmov(al, br)
#> 1:9 error a2a3.no-path: `pto.tmov` does not move `br` from L0B to `al` in L0A
#>   note: this stage says `A2a3.Placed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: load it to L1, `space="mat"`, and move it from there

#: an instruction of vector cores
        pto.tadd(al, al, al)
#> 1:9 error a2a3.core-instruction: `pto.tadd` is an instruction of vector cores, in a kernel for cube cores
#>   note: this stage says `A2a3.Placed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: move it to a kernel `with pto.aiv():`, and let what it needs of this one go through `pto.gm`

#: an instruction of cube cores
        pto.tmatmul_acc(acc, al, br)
#> compiles

#: a load to L0C
        pto.tload(acc, c, slice(0, 32), slice(0, 32))
#> 1:9 error a2a3.operand-space: `pto.tload` takes `acc` in L1, and it is in L0C
#>   note: this stage says `A2a3.Placed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: load a tile of `space="mat"`, and move it: `pto.tmov(acc, block)`

#: a store from L1
        pto.tstore(g, am, slice(0, 32), slice(0, 32))
#> 1:9 error a2a3.operand-space: `pto.tstore` takes `am` in L0C, and it is in L1
#>   note: this stage says `A2a3.Placed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: store a tile of `space="acc"`

#: a product of L1
        pto.tmatmul(acc, am, br)
#> 1:9 error a2a3.operand-space: `pto.tmatmul` takes `am` in L0A, and it is in L1
#>   note: this stage says `A2a3.Placed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: move it: `pto.tmov(other, am)` to a tile of `space="left"`

#: a product into L1
        pto.tmatmul(am, al, br)
#> 1:9 error a2a3.operand-space: `pto.tmatmul` takes `am` in L0C, and it is in L1
#>   note: this stage says `A2a3.Placed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare it with `space="acc"`

#: scales in L1
        sm = pto.tile(u64, 1, 32, valid=(1, 32), at=4096, space='mat', layout='nd')
        pto.tload(sm, e, slice(0, 1), slice(0, 32))
        pto.tstore_fp(d, acc, sm, slice(0, 32), slice(0, 32))
#> 3:9 error a2a3.operand-space: `pto.tstore_fp` takes `sm` in the scaling buffer, and it is in L1
#>   note: this stage says `A2a3.Placed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: move the scales: `pto.tmov(scales, row)` to a tile of `space="scaling"`

#: scales in the scaling buffer
        sm = pto.tile(u64, 1, 32, valid=(1, 32), at=4096, space='mat', layout='nd')
        pto.tload(sm, e, slice(0, 1), slice(0, 32))
        sc = pto.tile(u64, 1, 32, valid=(1, 32), at=0, space='scaling')
        pto.tmov(sc, sm)
        pto.tstore_fp(d, acc, sc, slice(0, 32), slice(0, 32))
#> compiles

#: scales to f32
        sm = pto.tile(u64, 1, 32, valid=(1, 32), at=4096, space='mat', layout='nd')
        pto.tload(sm, e, slice(0, 1), slice(0, 32))
        sc = pto.tile(u64, 1, 32, valid=(1, 32), at=0, space='scaling')
        pto.tmov(sc, sm)
        pto.tstore_fp(c, acc, sc, slice(0, 32), slice(0, 32))
#> 5:9 error a2a3.move-dtype: `pto.tstore_fp` does not move f32 as f32 to global memory
#>   note: this stage says `A2a3.Placed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: store f32 to i8 or u8, i32 to these or to f16

#: scales of f32
        qm = pto.tile(f32, 1, 64, valid=(1, 32), at=4096, space='mat', layout='nd')
        pto.tload(qm, q, slice(0, 1), slice(0, 32))
        sc = pto.tile(f32, 1, 64, valid=(1, 32), at=0, space='scaling')
        pto.tmov(sc, qm)
#> 4:9 error a2a3.move-dtype: `pto.tmov` does not move f32 as f32 to the scaling buffer
#>   note: this stage says `A2a3.Placed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare both as u64

#: a bias of boxes
        bi = pto.tile(f32, 1, 32, valid=(1, 32), at=0, space='bias')
        pto.tmov(bi, am)
#> 2:9 error a2a3.layout: `pto.tmov` does not move `am` to `bi` in another layout
#>   note: this stage says `A2a3.Placed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: load it to a tile of one row in L1: `layout="nd"`

#: a bias of another size
        qm = pto.tile(f32, 1, 32, valid=(1, 32), at=4096, space='mat', layout='nd')
        pto.tload(qm, q, slice(0, 1), slice(0, 32))
        bi = pto.tile(f32, 1, 64, valid=(1, 32), at=0, space='bias')
        pto.tmov(bi, qm)
#> 4:9 error a2a3.sizes: the sizes of `pto.tmov` do not agree: `bi` is 1 x 64 in memory, `qm` is 1 x 32
#>   note: this stage says `A2a3.Placed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: load it to a tile of one row in L1: `layout="nd"`

#: a bias of another dtype
        qm = pto.tile(f32, 1, 32, valid=(1, 32), at=4096, space='mat', layout='nd')
        pto.tload(qm, q, slice(0, 1), slice(0, 32))
        bi = pto.tile(i32, 1, 32, valid=(1, 32), at=0, space='bias')
        pto.tmov(bi, qm)
#> 4:9 error a2a3.move-dtype: `pto.tmov` does not move f32 as i32 to the bias table
#>   note: this stage says `A2a3.Placed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare both as f32 and i32, or f16 that becomes f32

#: a bias of two rows
        bi = pto.tile(f32, 2, 32, valid=(1, 32), at=0, space='bias')
#> 1:14 error a2a3.one-row: `bi` has 2 rows, and the bias table takes one
#>   note: this stage says `A2a3.Placed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare it with one row

#: a bias
        qm = pto.tile(f32, 1, 32, valid=(1, 32), at=4096, space='mat', layout='nd')
        pto.tload(qm, q, slice(0, 1), slice(0, 32))
        bi = pto.tile(f32, 1, 32, valid=(1, 32), at=0, space='bias')
        pto.tmov(bi, qm)
        pto.tmatmul_bias(acc, al, br, bi)
        pto.tstore(c, acc, slice(0, 32), slice(0, 32))
#> compiles

#: a bias of another product
        qm = pto.tile(f32, 1, 32, valid=(1, 32), at=4096, space='mat', layout='nd')
        pto.tload(qm, q, slice(0, 1), slice(0, 32))
        bi = pto.tile(f32, 1, 32, valid=(1, 16), at=0, space='bias')
        pto.tmov(bi, qm)
        pto.tmatmul_bias(acc, al, br, bi)
#> 5:9 error a2a3.extents: the extents of `pto.tmatmul_bias` do not agree: `acc` is 32 x 32, `bi` is 1 x 16
#>   note: this stage says `A2a3.Placed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: let columns of the sum and of the bias agree: `valid=`

#: a bias in L1
        qm = pto.tile(f32, 1, 32, valid=(1, 32), at=4096, space='mat', layout='nd')
        pto.tload(qm, q, slice(0, 1), slice(0, 32))
        pto.tmatmul_bias(acc, al, br, qm)
#> 3:9 error a2a3.operand-space: `pto.tmatmul_bias` takes `qm` in the bias table, and it is in L1
#>   note: this stage says `A2a3.Placed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: move it: `pto.tmov(other, qm)` to a tile of `space="bias"`

#: a fill in L1
        o = pto.tile(f16, 32, 32, valid=(32, 32), at=4096, space='mat', pad='zero')
#> 1:13 error a2a3.pad-space: `o` has `pad=` and is in L1
#>   note: this stage says `A2a3.Placed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: leave `pad=` to tiles of the unified buffer

#: no fill in L1
        o = pto.tile(f16, 32, 32, valid=(32, 32), at=4096, space='mat')
#> compiles

#: no boxes
        o = pto.tile(f16, 24, 32, valid=(24, 32), at=4096, space='mat')
#> 1:13 error a2a3.boxes: `o` is 24 x 32 of f16, and tiles of L1 consist of boxes
#>   note: this stage says `A2a3.Placed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare it as 32 x 32, of which `valid=` says what counts

#: boxes
        o = pto.tile(f16, 32, 32, valid=(24, 32), at=4096, space='mat')
        pto.tload(o, a, slice(0, 24), slice(0, 32))
#> compiles

#: a sum of f16
        h = pto.tile(f16, 32, 32, valid=(32, 32), at=4096, space='acc')
        pto.tmatmul(h, al, br)
#> 2:9 error a2a3.operand-dtype: `h` is of f16, and `pto.tmatmul` takes f32
#>   note: this stage says `A2a3.Placed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare `h` as f32: the store rounds it

#: a sum to L1 as f32
        h = pto.tile(f32, 32, 32, valid=(32, 32), at=4096, space='mat')
        pto.tmov(h, acc)
#> 2:9 error a2a3.move-dtype: `pto.tmov` does not move f32 as f32 to L1
#>   note: this stage says `A2a3.Placed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: move f32 as f16 or bf16; store i32, and load it again

#: a sum to L1 as f16
        h = pto.tile(f16, 32, 32, valid=(32, 32), at=4096, space='mat')
        pto.tmov(h, acc)
#> compiles

#: a product of other sizes
        b2 = pto.tile(f16, 32, 64, valid=(32, 32), at=8192, space='right')
        pto.tmov(b2, bm)
        pto.tmatmul(acc, al, b2)
#> 3:9 error a2a3.sizes: the sizes of `pto.tmatmul` do not agree: `b2` is 32 x 64 in memory, `acc` is 32 x 32
#>   note: this stage says `A2a3.Placed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare m x k, k x n and m x n: here `b2` as 32 x 32, and `al` as 32 x 32

#: a product of other valid extents
        b2 = pto.tile(f16, 32, 32, valid=(16, 32), at=8192, space='right')
        pto.textract(b2, bm, 0, 0)
        pto.tmatmul(acc, al, b2)
#> 3:9 error a2a3.extents: the extents of `pto.tmatmul` do not agree: `al` is 32 x 32, `b2` is 16 x 32
#>   note: this stage says `A2a3.Placed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: let columns of the left and rows of the right agree: `valid=`

#: a product of one row
        pto.tgemv(acc, al, br)
#> 1:9 error a2a3.left-rows: the left operand `al` of `pto.tgemv` has 32 rows
#>   note: this stage says `A2a3.Placed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare it with one row

#: a product of rows
        pto.tmatmul(acc, al, br)
#> compiles

#: a part outside of a tile
        b2 = pto.tile(f16, 32, 32, valid=(32, 32), at=8192, space='right')
        pto.textract(b2, bm, 16, 0)
#> 2:9 error a2a3.outside-tile: `pto.textract` of 32 x 32 elements at 16, 0 of `bm`, which is 32 x 32
#>   note: this stage says `A2a3.Placed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: take what is inside

#: a part inside of a tile
        b2 = pto.tile(f16, 16, 32, valid=(16, 32), at=8192, space='right')
        pto.textract(b2, bm, 16, 0)
#> compiles

#: an insertion outside
        h = pto.tile(f16, 64, 64, valid=(64, 64), at=4096, space='mat')
        pto.tinsert(h, acc, 48, 0)
#> 2:9 error a2a3.outside-tile: `pto.tinsert` of 32 x 32 elements at 48, 0 of `h`, which is 64 x 64
#>   note: this stage says `A2a3.Placed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: begin inside, at a multiple of 16 columns

#: an insertion into turned rows
        h = pto.tile(f16, 64, 64, valid=(64, 64), at=4096, space='mat', layout='zn')
        pto.tinsert(h, acc, 0, 0)
#> 2:9 error a2a3.layout: `pto.tinsert` does not move `acc` to `h` in another layout
#>   note: this stage says `A2a3.Placed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare `h` without `layout=`

#: an insertion
        h = pto.tile(f16, 64, 64, valid=(64, 64), at=4096, space='mat')
        pto.tinsert(h, acc, 16, 32)
#> compiles

#: a row to L0B
        rm = pto.tile(f16, 1, 256, valid=(1, 32), at=4096, space='mat', layout='nd')
        pto.tload(rm, a, 0, slice(0, 32))
        b2 = pto.tile(f16, 32, 32, valid=(1, 32), at=8192, space='right')
        pto.tmov(b2, rm)
#> 4:9 error a2a3.layout: `pto.tmov` does not move `rm` to `b2` in another layout
#>   note: this stage says `A2a3.Placed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: load it without `layout="nd"`

#: a row to boxes of L0A
        rm = pto.tile(f16, 1, 256, valid=(1, 32), at=4096, space='mat', layout='nd')
        pto.tload(rm, a, 0, slice(0, 32))
        a2 = pto.tile(f16, 32, 32, valid=(1, 32), at=8192, space='left')
        pto.tmov(a2, rm)
#> 4:9 error a2a3.layout: `pto.tmov` does not move `rm` to `a2` in another layout
#>   note: this stage says `A2a3.Placed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare `a2` with one row, or load `rm` without `layout="nd"`

#: boxes to a row of L0A
        a2 = pto.tile(f16, 1, 256, valid=(1, 32), at=8192, space='left')
        pto.textract(a2, am, 0, 0)
#> 2:9 error a2a3.layout: `pto.textract` does not move `am` to `a2` in another layout
#>   note: this stage says `A2a3.Placed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: load `am` with `layout="nd"`

#: a row to a row of L0A
        rm = pto.tile(f16, 1, 256, valid=(1, 32), at=4096, space='mat', layout='nd')
        pto.tload(rm, a, 0, slice(0, 32))
        a2 = pto.tile(f16, 1, 256, valid=(1, 32), at=8192, space='left')
        pto.tmov(a2, rm)
#> compiles

#: two dtypes in a way
        b2 = pto.tile(bf16, 32, 32, valid=(32, 32), at=8192, space='right')
        pto.tmov(b2, bm)
#> 2:9 error a2a3.dtypes-differ: `b2` is of bf16 and `bm` of f16, and `pto.tmov` takes one dtype
#>   note: this stage says `A2a3.Placed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare both with one dtype, or convert by `pto.tcvt`

#: nothing was moved
        b2 = pto.tile(f16, 32, 32, valid=(32, 32), at=8192, space='right')
        pto.tmatmul(acc, al, b2)
#> 2:9 error a2a3.unwritten: `pto.tmatmul` reads `b2`, and nothing has written it before
#>   note: this stage says `A2a3.Placed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: load, move or multiply what it shall hold before

#: a tile of vector cores
        t = pto.tile(f32, 32, 32, valid=(32, 32), at=0)
#> 1:13 error a2a3.space-core: `t` is in the unified buffer, which cube cores do not have
#>   note: this stage says `A2a3.Placed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare it in a kernel `with pto.aiv():`

#: a sum that goes on in a tile declared anew
        for k in range(4):
            sums = pto.tile(f32, 32, 32, valid=(32, 32), at=4096, space='acc')
            if k == 0:
                pto.tmatmul(sums, al, br)
            else:
                pto.tmatmul_acc(sums, al, br)
#> 3:13 error a2a3.unwritten: `pto.tmatmul_acc` reads `sums`, and nothing has written it before
#>   note: this stage says `A2a3.Placed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: load, move or multiply what it shall hold before

#: a sum that goes on in a tile that is kept
        for k in range(4):
            sums = pto.tile(f32, 32, 32, valid=(32, 32), at=4096, space='acc', kept=True)
            if k == 0:
                pto.tmatmul(sums, al, br)
            else:
                pto.tmatmul_acc(sums, al, br)
#> compiles
