import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, tiles

M, N = htp.dim("M"), htp.dim("N")
BLOCK, (FIRST, SECOND), SCALE = 8, (1, 2), 0.5


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, BLOCK):
        y[i, :] = x[i, :] * SCALE
# ── canonical ──
import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel
import htp_tile as tile

M, N = (htp.dim("M"), htp.dim("N"))
BLOCK, (FIRST, SECOND), SCALE = (8, (1, 2), 0.5)


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tile.tiles(M, 8):
        x_tile = tile.load(x, i, tile.whole)
        mul = tile.mul(x_tile, 0.5)
        tile.store(y, mul, i, tile.whole)
# ── typed ──
import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, Tile
import htp_tile as tile

M, N = (htp.dim("M"), htp.dim("N"))
BLOCK, (FIRST, SECOND), SCALE = (8, (1, 2), 0.5)


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tile.tiles(M, 8):
        x_tile: Tile[f32, i, N] = tile.load(x, i, tile.whole)
        mul: Tile[f32, i, N] = tile.mul(x_tile, 0.5)
        tile.store(y, mul, i, tile.whole)
