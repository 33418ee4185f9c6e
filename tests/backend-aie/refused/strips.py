import htp
from htp import In, Out, i8, i32
from htp_tile import Tensor, kernel, matmul, tiles, zeros

M = 64
N = 64
K = 64


@kernel
def gemm_i8(a: In[Tensor[i8, M, K]], b: In[Tensor[i8, K, N]], c: Out[Tensor[i32, M, N]]) -> None:
    for i in tiles(M, 8):
        for j in tiles(N, 16):
            acc = zeros(i32, i, j)
            for k in tiles(K, 16):
                acc = matmul(a[i, k], b[k, j], acc)
            c[i, j] = acc

#: a strip that reaches beyond its tile
#! old: aie.strip(acc, 1, row)
#! new: aie.strip(acc, 9, row)
#> 29:35 error aie.not-operand: `aie.strip(acc, 9, row)` is neither a tile of this core nor a number
#>   note: this stage says `Aie.Mapped` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: acquire it, or make a buffer

#: a strip of no rows
#! old: aie.strip(acc, 1, row)
#! new: aie.strip(acc, 0, row)
#> 29:35 error aie.not-operand: `aie.strip(acc, 0, row)` is neither a tile of this core nor a number
#>   note: this stage says `Aie.Mapped` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: acquire it, or make a buffer

#: a strip that no loop counts
#! old: aie.strip(acc, 1, row)
#! new: aie.strip(acc, 1, 0)
#> 29:35 error aie.not-operand: `aie.strip(acc, 1, 0)` is neither a tile of this core nor a number
#>   note: this stage says `Aie.Mapped` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: acquire it, or make a buffer

#: a strip of a tensor
#! old: aie.strip(acc, 1, row)
#! new: aie.strip(c, 1, row)
#> 29:35 error aie.not-operand: `aie.strip(c, 1, row)` is neither a tile of this core nor a number
#>   note: this stage says `Aie.Mapped` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: acquire it, or make a buffer

#: a share that there is not
#! old: 'rows', 2)
#! new: 'row', 2)
#> 16:100 error aie.named-distance: `b_in` has one core and a distance between columns
#>   note: this stage says `Aie.Mapped` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write 0

#: a strip of rows where each core has its own
#! old: 'each', 2)
#! new: 'rows', 2)
#> 17:118 error aie.collect-core: `'rows'` does not name the core of a collect
#>   note: this stage says `Aie.Mapped` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `'each'`, or the core's name
