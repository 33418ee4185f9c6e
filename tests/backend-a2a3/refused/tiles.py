import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, maximum, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def program(x: In[Tensor[f32, M, N]], z: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        for j in tiles(N, 64):
            y[i, j] = maximum(x[i, j], z[i, j])

#: too few operands
#! stage: a2a3.select
#! old: pto.tmax(maximum, x_tile, z_tile)
#! new: pto.tmax(maximum, x_tile)
#> 21:13 error a2a3.operand-count: `pto.tmax`: 3 operands expected, 2 given
#>   note: this stage says `A2a3.Selected` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `pto.tmax(y, a, b)`

#: no tile to work in
#! stage: a2a3.select
#! old: pto.tmax(maximum, x_tile, z_tile)
#! new: pto.txor(maximum, x_tile, z_tile)
#> 21:13 error a2a3.operand-count: `pto.txor`: 4 operands expected, 3 given
#>   note: this stage says `A2a3.Selected` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `pto.txor(either, a, b, work)`

#: a result that is read
#! stage: a2a3.select
#! old: pto.tmax(maximum, x_tile, z_tile)
#! new: pto.tfmod(x_tile, x_tile, z_tile)
#> 21:13 error a2a3.overlap: `pto.tfmod` writes `x_tile` where it reads `x_tile`
#>   note: this stage says `A2a3.Selected` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: let it write to a tile of its own: `other = pto.tile(f32, i, j)`

#: a mask that is none
#! stage: a2a3.select
#! old: pto.tmax(maximum, x_tile, z_tile)
#! new: pto.tcmp(maximum, x_tile, z_tile, 'LT')
#> 21:13 error a2a3.operand-dtype: `maximum` is of f32, and `pto.tcmp` takes bool_
#>   note: this stage says `A2a3.Selected` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare `maximum` so

#: a sum of nothing
#! stage: a2a3.select
#! old: pto.tmax(maximum, x_tile, z_tile)
#! new: pto.taxpy(maximum, x_tile, 2.0)
#> 21:13 error a2a3.unwritten: `pto.taxpy` reads `maximum`, and nothing has written it before
#>   note: this stage says `A2a3.Selected` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: fill it, `pto.texpands(maximum, 0)`, or load it before

#: a product of nothing
#! stage: a2a3.select
#! old: pto.tmax(maximum, x_tile, z_tile)
#! new: pto.tmuladddst(maximum, x_tile, z_tile)
#> 21:13 error a2a3.unwritten: `pto.tmuladddst` reads `maximum`, and nothing has written it before
#>   note: this stage says `A2a3.Selected` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: fill it, `pto.texpands(maximum, 0)`, or load it before

#: rows that are columns
#! stage: a2a3.select
#! old: pto.tmax(maximum, x_tile, z_tile)
#! new: pto.ttrans(maximum, x_tile, z_tile)
#> 21:13 error a2a3.extents: the extents of `pto.ttrans` do not agree: `maximum` is i x j, `x_tile` is i x j
#>   note: this stage says `A2a3.Selected` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: let rows of the one and columns of the other agree, where they are declared

#: blocks of the other dimension
#! stage: a2a3.select
#! old: pto.tmax(maximum, x_tile, z_tile)
#! new: pto.tload(maximum, x, j, i)
#> 21:35 error a2a3.slice-extent: `j` of `x` has another extent than `maximum`, i x j
#>   note: this stage says `A2a3.Selected` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give both the same extents

#: a block further
#! stage: a2a3.select
#! old: pto.tmax(maximum, x_tile, z_tile)
#! new: pto.tload(maximum, x, i + 1, j)
#> 21:35 error a2a3.outside-tensor: the index `i + 1` leaves `x`, which has M elements there
#>   note: this stage says `A2a3.Selected` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: end at M: `min(…, M)`, and begin at 0

#: no instruction
#! stage: a2a3.select
#! old: pto.tmax(maximum, x_tile, z_tile)
#! new: pto.tmaximum(maximum, x_tile)
#> 21:13 error a2a3.unknown-instruction: `pto.tmaximum` is not an instruction
#>   note: this stage says `A2a3.Selected` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: choose one that `htp-host ops` lists

#: no operand
#! stage: a2a3.select
#! old: pto.tmax(maximum, x_tile, z_tile)
#! new: pto.texp(maximum, w)
#> 21:31 error a2a3.undeclared: `w` is not a tile that is declared before
#>   note: this stage says `A2a3.Selected` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare it: `w = pto.tile(…)`

#: no result
#! stage: a2a3.select
#! old: pto.tmax(maximum, x_tile, z_tile)
#! new: pto.texp(w, x_tile)
#> 21:13 error a2a3.undeclared: `w` is not a tile that is declared before
#>   note: this stage says `A2a3.Selected` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare it: `w = pto.tile(…)`

#: no tensor
#! stage: a2a3.select
#! old: pto.tmax(maximum, x_tile, z_tile)
#! new: pto.tload(maximum, w, i, j)
#> 21:13 error a2a3.not-tensor: `w` is not a tensor
#>   note: this stage says `A2a3.Selected` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `pto.tload(row, x, slice(i_at, i_at + i_n), whole)`

#: an index too few
#! stage: a2a3.select
#! old: pto.tmax(maximum, x_tile, z_tile)
#! new: pto.tload(maximum, x, i)
#> 21:13 error a2a3.index-count: `pto.tload` has 1 indices for the 2 dimensions of `x`
#>   note: this stage says `A2a3.Selected` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `pto.tload(row, x, slice(i_at, i_at + i_n), whole)`

#: no way out of L0C
#! stage: a2a3.select
#! old: pto.tmax(maximum, x_tile, z_tile)
#! new: acc = pto.tile(f32, i, j, space='acc'); pto.tmov(maximum, acc)
#> 21:53 error a2a3.no-path: `pto.tmov` does not move `acc` from L0C to `maximum` in the unified buffer
#>   note: this stage says `A2a3.Selected` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: move it through global memory: `g = pto.gm(f32, rows, columns)` before the kernels, `pto.tstore(g, acc, …)` here, and `pto.tload(maximum, g, …)` in a kernel behind, `with pto.aiv():`

#: the instruction as it was
#! stage: a2a3.select
#! old: pto.tmax(maximum, x_tile, z_tile)
#! new: pto.tmax(maximum, x_tile, z_tile)
#> compiles

#: a product on vector cores
#! stage: a2a3.split
#! old: pto.tmax(maximum, x_tile, z_tile)
#! new: pto.tmatmul(maximum, x_tile, z_tile)
#> 22:17 error a2a3.core-instruction: `pto.tmatmul` is an instruction of cube cores, in a kernel for vector cores
#>   note: this stage says `A2a3.Split` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: move it to a kernel `with pto.aic():`, and let what it makes go through `pto.gm`

#: a tile in L1 on vector cores
#! stage: a2a3.split
#! old: maximum = pto.tile(f32, i, j)
#! new: maximum = pto.tile(f32, i, j, space='mat')
#> 22:17 error a2a3.space-core: `maximum` is in L1, which vector cores do not have
#>   note: this stage says `A2a3.Split` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare it without `space=`: it lies in the unified buffer then

#: a store to an input
#! stage: a2a3.select
#! old: pto.tstore(y,
#! new: pto.tstore(x,
#> 22:13 error a2a3.input-written: `x` is an input, and is stored to
#>   note: this stage says `A2a3.Selected` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare it `Out` or `InOut`, or store to another tensor
