import htp
from htp import In, Out, f32
from htp_tile import Tensor, buffer, copy_async, kernel, tiles, wait, whole

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        h = buffer(f32, i, N)
        first = copy_async(h, x[i, :], i, whole)
        if M > 8:
            wait(first)
            second = copy_async(h, x[i, :] * 2.0, i, whole)
        else:
            wait(token=first)
            second = copy_async(h, x[i, :] * 3.0, i, whole)
        wait(second)
        y[i, :] = h[i, :]
# ── canonical ──
import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tile.tiles(M, 8):
        h = tile.buffer(f32, i, N)
        x_tile = tile.load(x, i, tile.whole)
        first = tile.copy_async(h, x_tile, i, tile.whole)
        if M > 8:
            tile.wait(first)
            x_tile_1 = tile.load(x, i, tile.whole)
            mul = tile.mul(x_tile_1, 2.0)
            second = tile.copy_async(h, mul, i, tile.whole)
        else:
            tile.wait(first)
            x_tile_2 = tile.load(x, i, tile.whole)
            mul_1 = tile.mul(x_tile_2, 3.0)
            second = tile.copy_async(h, mul_1, i, tile.whole)
        tile.wait(second)
        h_tile = tile.load(h, i, tile.whole)
        tile.store(y, h_tile, i, tile.whole)
# ── typed ──
import htp
from htp import In, Out, f32, Token
from htp_tile import Tensor, kernel, Tile
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tile.tiles(M, 8):
        h: Tensor[f32, i, N] = tile.buffer(f32, i, N)
        x_tile: Tile[f32, i, N] = tile.load(x, i, tile.whole)
        first: Token = tile.copy_async(h, x_tile, i, tile.whole)
        if M > 8:
            tile.wait(first)
            x_tile_1: Tile[f32, i, N] = tile.load(x, i, tile.whole)
            mul: Tile[f32, i, N] = tile.mul(x_tile_1, 2.0)
            second: Token = tile.copy_async(h, mul, i, tile.whole)
        else:
            tile.wait(first)
            x_tile_2: Tile[f32, i, N] = tile.load(x, i, tile.whole)
            mul_1: Tile[f32, i, N] = tile.mul(x_tile_2, 3.0)
            second = tile.copy_async(h, mul_1, i, tile.whole)
        tile.wait(second)
        h_tile: Tile[f32, i, N] = tile.load(h, i, tile.whole)
        tile.store(y, h_tile, i, tile.whole)
