import htp
from htp import In, Out, i8, i32
from htp_csp import R, S, pipeline, process, shard
from htp_tile import Tensor, matmul, tiles, zeros

K = 64
B = 16
M = 4 * B
N = 4 * B


@pipeline
def units_grid(a: In[Tensor[i8, M, K]], b: In[Tensor[i8, K, N]], c: Out[Tensor[i32, M, N]]) -> None:
    @process(grid=(4, 4), args=(shard(a, S(0), R), shard(b, R, S(1)), shard(c, S(0), S(1))))
    def cell(i: int, j: int, a: In[Tensor[i8, B, K]], b: In[Tensor[i8, K, B]], c: Out[Tensor[i32, B, B]]) -> None:
        acc = zeros(i32, B, B)
        for k in tiles(K, 32):
            acc = matmul(a[:, k], b[k, :], acc)
        c[:, :] = acc

#: blocks without a memory tile
#! old: , link='a_in_rows'
#> 33:9 error aie.unlinked-blocks: `a_in` is reordered in blocks and passes no memory tile
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give it a link: `link='a_in_rows'`

#: an order that does not go through its block by rows
#! old: ((2, 32), (4, 256), (4, 8), (4, 64), (8, 1))
#! new: ((2, 32), (4, 256), (4, 8), (8, 1), (4, 64))
#> 33:52 error aie.order-blocks: blocks of 4 by 4 by 4 by 8 are reordered, and the order does not end with their four dimensions
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: end the order with the block's four dimensions, in the order of memory

#: tiles that do not make up a product
#! old: aie.collect(c, (64, 64), (4, 2, 4, 8), ((4, 256), (2, 8), (4, 64), (8, 1))
#! new: aie.collect(c, (64, 64), (16, 16), ((16, 64), (16, 1))
#> 49:17 error aie.unequal-tiles: the tiles of `aie.mmul(acc, a_tile, b_tile)` differ: `acc` is i32 of 16 by 16, `a_tile` is i8 of 4 by 4 by 4 by 8, `b_tile` is i8 of 4 by 2 by 8 by 8
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: change the tiles, or continue from the stage as the compiler made it

#: a link with the name of its stream
#! old: link='a_in_rows'
#! new: link='a_in'
#> 33:9 error aie.link-name: the link `a_in` is not a name of its own
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: name it `a_in_rows`

#: a link with the name of another stream
#! old: link='a_in_rows'
#! new: link='c_out'
#> 33:9 error aie.link-name: the link `c_out` is not a name of its own
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: name it `a_in_rows`

#: a link that is no name
#! old: link='a_in_rows'
#! new: link='a in'
#> 33:9 error aie.link-name: the link `a in` is not a name of its own
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: name it `a_in_rows`

#: blocks in the link of another tensor
#! old: link='b_in_rows'
#! new: link='a_in_rows'
#> 34:9 error aie.unequal-link: `b_in` and `a_in` share a link, and differ in their tensor
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: make these equal, or take `link` out

#: a link of streams of two sizes
#! old: 'cell_0_1', 1, start=16, link='c_out_link'
#! new: 'cell_0_1', 2, start=16, link='c_out_link'
#> 18:9 error aie.unequal-link: `c_out_1` and `c_out` share a link, and differ in their depth
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: make these equal, or take `link` out

#: a link of streams at unequal distances
#! old: 'cell_0_2', 1, start=32, link='c_out_link'
#! new: 'cell_0_2', 1, start=40, link='c_out_link'
#> 19:9 error aie.uneven-link: `c_out_2` starts 24 elements behind `c_out_1`, and the streams of its link start every 16
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: start them at equal distances

#: a product by rows of tiles in blocks
#! old: aie.mmul(acc, a_tile, b_tile)
#! new: aie.matmul(acc, a_tile, b_tile)
#> 49:17 error aie.unequal-tiles: the tiles of `aie.matmul(acc, a_tile, b_tile)` differ: `acc` is i32 of 4 by 2 by 4 by 8, `a_tile` is i8 of 4 by 4 by 4 by 8, `b_tile` is i8 of 4 by 2 by 8 by 8
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: change the tiles, or continue from the stage as the compiler made it

#: a product by rows
#! stage: aie.elide_copies
#! old: holds=['
#! new: holds=['Aie.InBlocks', '
#> 15:1 error aie.product-rows: `units_grid` has a product by rows that the matrix units compute in blocks
#>   note: this stage says `Aie.InBlocks` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: lay its tiles out in blocks, and write `aie.mmul`
