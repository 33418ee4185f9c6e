import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, tiles

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


LAYOUT = 1


@kernel
def k(x: In[Tensor[f32, 4, htp.layout(((4, 1, "row"),))]], w: In[Tensor[f32, 4]], y: Out[Tensor[f32, 4]]) -> None:
    for i in tiles(4, 8):
        y[i] = x[i] * w[i] + x[i]
# ── canonical ──
import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


LAYOUT = 1


@kernel
def k(x: In[Tensor[f32, 4, htp.layout(((4, 1, "row"),))]], w: In[Tensor[f32, 4]], y: Out[Tensor[f32, 4]]) -> None:
    for i in tile.tiles(4, 8):
        x_tile = tile.load(x, i)
        w_tile = tile.load(w, i)
        mul = tile.mul(x_tile, w_tile)
        x_tile_1 = tile.load(x, i)
        add = tile.add(mul, x_tile_1)
        tile.store(y, add, i)
# ── typed ──
import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, Tile
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


LAYOUT = 1


@kernel
def k(x: In[Tensor[f32, 4, htp.layout(((4, 1, "row"),))]], w: In[Tensor[f32, 4]], y: Out[Tensor[f32, 4]]) -> None:
    for i in tile.tiles(4, 8):
        x_tile: Tile[f32, i, htp.layout(((4, 1, 'row'),))] = tile.load(x, i)
        w_tile: Tile[f32, i] = tile.load(w, i)
        mul: Tile[f32, i, htp.layout(((4, 1, 'row'),))] = tile.mul(x_tile, w_tile)
        x_tile_1: Tile[f32, i, htp.layout(((4, 1, 'row'),))] = tile.load(x, i)
        add: Tile[f32, i, htp.layout(((4, 1, 'row'),))] = tile.add(mul, x_tile_1)
        tile.store(y, add, i)
