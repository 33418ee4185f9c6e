import htp
from htp import In, Out, f32
from htp_tile import Tensor, Tile, external, kernel, tiles

M = 16
R = htp.dim("R")


@external(htp.text("doubled.cc"), updates="x")
def doubled(x: Tile[f32, R, 16]) -> Tile[f32, R, 16]:
    return x + x


@kernel
def in_place(x: In[Tensor[f32, M, 16]], y: Out[Tensor[f32, M, 16]]) -> None:
    for i in tiles(M, 8):
        more = x[i, :] + 1.0
        twice = doubled(more)
        y[i, :] = twice + more

#: a call that updates a tile that is read behind it
#! stage: aie.select
#! old: holds=['
#! new: holds=['Aie.InPlace', '
#> 21:1 error aie.call-update: a call of `in_place` updates another tile than it writes to, or reads that one too
#>   note: this stage says `Aie.InPlace` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: copy the tile before the call: `aie.copy(kept, tile)`
