import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, reduce_sum, tiles

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]], z: Out[Tensor[f32, M, 1]]) -> None:
    for i in tiles(M, 8):
        row = x[i, :]
        y[i, :] = row + row
    for i in tiles(M, 16):
        row = x[i, :]
        row = row * 2.0
        z[i, :] = reduce_sum(row, axis=1)
# ── canonical ──
import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]], z: Out[Tensor[f32, M, 1]]) -> None:
    for i in tile.tiles(M, 8):
        row = tile.load(x, i, tile.whole)
        add = tile.add(row, row)
        tile.store(y, add, i, tile.whole)
    for i_1 in tile.tiles(M, 16):
        row_1 = tile.load(x, i_1, tile.whole)
        row_1 = tile.mul(row_1, 2.0)
        reduce_sum = tile.reduce_sum(row_1, axis=1)
        tile.store(z, reduce_sum, i_1, tile.whole)
# ── typed ──
import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, Tile
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]], z: Out[Tensor[f32, M, 1]]) -> None:
    for i in tile.tiles(M, 8):
        row: Tile[f32, i, N] = tile.load(x, i, tile.whole)
        add: Tile[f32, i, N] = tile.add(row, row)
        tile.store(y, add, i, tile.whole)
    for i_1 in tile.tiles(M, 16):
        row_1: Tile[f32, i_1, N] = tile.load(x, i_1, tile.whole)
        row_1 = tile.mul(row_1, 2.0)
        reduce_sum: Tile[f32, i_1, 1] = tile.reduce_sum(row_1, axis=1)
        tile.store(z, reduce_sum, i_1, tile.whole)
