import htp
from htp import In, Out, f16, f32
from htp_tile import Tensor, cast, kernel, matmul, tiles, transpose, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def half_gemm(a: In[Tensor[f16, M, K]], b: In[Tensor[f16, N, K]], c: Out[Tensor[f16, M, N]]) -> None:
    for i in tiles(M, 8):
        for j in tiles(N, 16):
            acc = zeros(f32, i, j)
            for k in tiles(K, 32):
                acc = matmul(a[i, k], transpose(b[j, k]), acc)
            c[i, j] = cast(acc, f16)

#: a parameter in columns, in a stage that was edited
#! stage: a2a3.allocate_buffers
#! old: a: In[Tensor[f16, M, K]]
#! new: a: In[Tensor[f16, M, K, htp.layouts.ordered((8, 8), (1, 0))]]
#> 13:39 error a2a3.placement: `a` lies as `htp.layouts.ordered((8, 8), (1, 0))` says, and kernels take tensors from global memory, with a step along each dimension
#>   note: a layout of 64 elements has not the shape (0, 0)
#>   note: this stage says `A2a3.Placed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give it a layout of strides, `htp.layouts.strided((8, 64), (72, 1))`, or none, and no space

#: a parameter in a memory of a core
#! stage: a2a3.allocate_buffers
#! old: a: In[Tensor[f16, M, K]]
#! new: a: In[Tensor[f16, M, K, htp.space('ub')]]
#> 13:39 error a2a3.placement: `a` lies as `htp.space('ub')` says, and kernels take tensors from global memory, with a step along each dimension
#>   note: this stage says `A2a3.Placed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give it a layout of strides, `htp.layouts.strided((8, 64), (72, 1))`, or none, and no space

#: blocks shorter than their loop steps
#! stage: a2a3.allocate_buffers
#! old: j_n = min(16, N - j_at)
#! new: j_n = min(15, N - j_at)
#> 26:25 error a2a3.block-step: `j_n` is up to 15, and blocks of `j_at` begin 16 apart
#>   note: this stage says `A2a3.Placed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: let both be one number: `j_n = min(16, N - j_at)`

#: blocks as long as their loop steps
#! stage: a2a3.allocate_buffers
#! old: j_n = min(16, N - j_at)
#! new: j_n = min(16, N - j_at)
#> compiles

#: a loop that steps further than its blocks
#! stage: a2a3.allocate_buffers
#! old: range(0, K, 32)
#! new: range(0, K, 64)
#> 29:29 error a2a3.block-step: `k_n` is up to 32, and blocks of `k_at` begin 64 apart
#>   note: this stage says `A2a3.Placed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: let both be one number: `k_n = min(64, K - k_at)`

#: fewer columns than are valid
#! stage: a2a3.allocate_buffers
#! old: a_tile_mat = pto.tile(f16, 16, 32
#! new: a_tile_mat = pto.tile(f16, 16, 16
#> 30:42 error a2a3.valid-extent: `a_tile_mat` has 16 columns, and up to 32 are valid
#>   note: this stage says `A2a3.Placed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare it with 32 columns, or let fewer be valid

#: a product of other sizes
#! stage: a2a3.allocate_buffers
#! old: b_tile_right = pto.tile(f16, 32, 16
#! new: b_tile_right = pto.tile(f16, 32, 48
#> 38:29 error a2a3.sizes: the sizes of `pto.tmatmul_acc` do not agree: `b_tile_right` is 32 x 48 in memory, `acc` is 16 x 16
#>   note: this stage says `A2a3.Placed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare m x k, k x n and m x n: here `b_tile_right` as 32 x 16, and `a_tile_left` as 16 x 32

#: tasks of a part of a block
#! stage: a2a3.allocate_buffers
#! old: i_least = max(8, 
#! new: i_least = max(9, 
#> 19:14 error a2a3.task-blocks: tasks of `i_part` have 9 elements, and blocks of `i_at` 8
#>   note: where `M` is 16, `K` is 64, `N` is 64
#>   note: this stage says `A2a3.Placed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: let a task have a multiple of 8

#: tasks of whole blocks
#! stage: a2a3.allocate_buffers
#! old: i_least = max(8, 
#! new: i_least = max(16,
#> compiles

#: tasks without end
#! stage: a2a3.allocate_buffers
#! old: i_step = max(i_least, 
#! new: i_step = min(0, 
#> 19:14 error a2a3.endless-tasks: tasks of `i_part` have 0 elements
#>   note: where `M` is 1, `K` is 1, `N` is 1
#>   note: this stage says `A2a3.Placed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: let a task have a block at least, of 64 for example: `max(64, min(0, (M + i_least * i_parts - 1) // (i_least * i_parts) * i_least))`

#: tasks of a block at least
#! stage: a2a3.allocate_buffers
#! old: i_step = max(i_least, 
#! new: i_step = max(64,
#> compiles

#: tasks from 1 on
#! stage: a2a3.allocate_buffers
#! old: for i_part in range(0, M, i_step):
#! new: for i_part in range(1, M, i_step):
#> 20:5 error a2a3.task-loop: `for i_part in range(1, M, i_step):` is not a loop of tasks
#>   note: this stage says `A2a3.Placed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `for i_part in range(0, M, i_step):`

#: a sum in L1
#! stage: a2a3.allocate_buffers
#! old: space='acc'
#! new: space='mat', layout='zn'
#> 38:29 error a2a3.operand-space: `pto.tmatmul_acc` takes `acc` in L0C, and it is in L1
#>   note: this stage says `A2a3.Placed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare it with `space="acc"`

#: a loop in the place of a kernel
#! stage: a2a3.stage_operands
#! old:     with pto.one_by_one('aic'):\n
#! new:     for n in range(1):\n
#> 15:5 error a2a3.beside-kernel: `for n in range(1):` stands in no kernel
#>   note: this stage says `A2a3.StagedOperands` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: move it into a kernel, or take it out

#: a vector core in the place of a cube core
#! stage: a2a3.stage_operands
#! old: 'aic'
#! new: 'aiv'
#> 21:21 error a2a3.space-core: `a_tile_mat` is in L1, which vector cores do not have
#>   note: this stage says `A2a3.StagedOperands` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare it without `space=`: it lies in the unified buffer then

#: blocks of no size
#! stage: a2a3.stage_operands
#! old: tile.tiles(M, 8)
#! new: tile.tiles(M, N)
#> 16:9 note a2a3.one-task-beside: `half_gemm` runs on one core of 24 cube cores: a statement stands beside its loops
#>   hint: store all of it in one loop over blocks, and index what is stored by its block: `for i in tiles(M, 16): y[i, :] = …`
#> 16:18 error a2a3.block-size: the block size `N` is not a constant above 0
#>   hint: write a constant, `tiles(M, 8)`, or compile for one size: `--set N=64`

#: blocks of a constant size
#! stage: a2a3.stage_operands
#! old: tile.tiles(M, 8)
#! new: tile.tiles(M, 16)
#> compiles

#: a loop over no range
#! stage: a2a3.stage_operands
#! old: tile.tiles(M, 8)
#! new: enumerate(M)
#> 16:9 note a2a3.one-task-beside: `half_gemm` runs on one core of 24 cube cores: a statement stands beside its loops
#>   hint: store all of it in one loop over blocks, and index what is stored by its block: `for i in tiles(M, 16): y[i, :] = …`
#> 16:18 error a2a3.loop-range: a kernel has no loop over `enumerate(M)`
#>   hint: write `for i in tiles(M, 8)` or `for i in range(8)`

#: a statement of none of the forms
#! stage: a2a3.stage_operands
#! old: pto.tstore(c, acc, i, j)
#! new: print(c)
#> 32:17 error a2a3.statement: `print(c)` is not a statement of a kernel
#>   hint: write it as one of these, or leave it out

#: a dtype that there is not
#! stage: a2a3.stage_operands
#! old: f32, i, j, space='acc'
#! new: htp.f64, i, j, space='acc'
#> 18:23 error a2a3.unknown-dtype: `f64` is not a dtype of the cores
#>   note: this stage says `A2a3.StagedOperands` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare another one

#: a memory that there is not
#! stage: a2a3.stage_operands
#! old: f32, i, j, space='acc'
#! new: f32, i, j, space='l2'
#> 18:23 error a2a3.unknown-space: `'l2'` is not a memory of a core
#>   note: this stage says `A2a3.StagedOperands` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: choose one of "ub", "mat", "left", "right", "acc", "bias", "scaling"

#: a portable intrinsic
#! stage: a2a3.select
#! old: pto.tstore(c, 
#! new: tile.store(c, 
#> 30:13 error a2a3.unknown-instruction: `tile.store` is not an instruction
#>   note: this stage says `A2a3.Selected` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: choose one that `htp-host ops` lists

#: another block
#! stage: a2a3.stage_operands
#! old: pto.tload(a_tile_mat, a, i, k)
#! new: pto.tload(a_tile_mat, a, j, k)
#> 21:46 error a2a3.slice-extent: `j` of `a` has another extent than `a_tile_mat`, i x k
#>   note: this stage says `A2a3.StagedOperands` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give both the same extents

#: a block further
#! stage: a2a3.stage_operands
#! old: pto.tload(a_tile_mat, a, i, k)
#! new: pto.tload(a_tile_mat, a, i + 1, k)
#> 21:46 error a2a3.outside-tensor: the index `i + 1` leaves `a`, which has M elements there
#>   note: this stage says `A2a3.StagedOperands` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: end at M: `min(…, M)`, and begin at 0

#: an operand of a product that nothing has moved to L0A
#! stage: a2a3.stage_operands
#! old: , space='left'
#! new:
#> 25:21 error a2a3.no-path: `pto.tmov` does not move `a_tile_mat` from L1 to `a_tile_left` in the unified buffer
#>   note: this stage says `A2a3.StagedOperands` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: move it through global memory: `g = pto.gm(f16, rows, columns)` before the kernels, `pto.tstore(g, sum, …)` here, and `pto.tload(a_tile_left, g, …)` in a kernel behind, `with pto.aiv():`

#: an operand of a product that is made in its kernel
#! stage: a2a3.split
#! old: pto.tload(a_tile, a, i, k)
#! new: pto.texpands(a_tile, 1)
#> 28:21 error a2a3.operand-space: `pto.tmatmul` takes `a_tile` in L0A, and it is in the unified buffer
#>   hint: load it in this kernel: `pto.tload(a_tile, …)`

#: an operand of a product that is loaded in its kernel
#! stage: a2a3.split
#! old: pto.tload(a_tile, a, i, k)
#! new: pto.tload(a_tile, a, i, k)
#> compiles
