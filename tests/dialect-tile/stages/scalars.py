import htp
from htp import In, Out, bool_, f32, i64
from htp_tile import Tensor, full, holds, index, kernel, tiles, where

M = htp.dim("M")
N = htp.dim("N")


def scaled(x: f32, by: f32) -> f32:
    return by * x


@kernel
def k(scale: f32, x: In[Tensor[f32, M, N]], count: int, last: i64, flag: bool_, y: Out[Tensor[f32, M, N]]) -> None:
    again = scale
    for i in tiles(M, 8):
        y[i, :] = scaled(x[i, :], scale) ** 2 + count
    for p in range(min(max(count, 0), M)):
        y[p, :] = again
    if holds(flag) and index(last) > 3:
        y[:, :] = where(x[:, :] > scale, x[:, :], full(f32, count, 1))
# ── inlined ──
import htp
from htp import In, Out, bool_, f32, i64
from htp_tile import Tensor, full, holds, index, kernel, tiles, where

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(scale: f32, x: In[Tensor[f32, M, N]], count: int, last: i64, flag: bool_, y: Out[Tensor[f32, M, N]]) -> None:
    again = scale
    for i in tiles(M, 8):
        x_1 = x[i, :]
        y[i, :] = (scale * x_1) ** 2 + count
    for p in range(min(max(count, 0), M)):
        y[p, :] = again
    if holds(flag) and index(last) > 3:
        y[:, :] = where(x[:, :] > scale, x[:, :], full(f32, count, 1))
# ── canonical ──
import htp
from htp import In, Out, bool_, f32, i64
from htp_tile import Tensor, kernel
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(scale: f32, x: In[Tensor[f32, M, N]], count: int, last: i64, flag: bool_, y: Out[Tensor[f32, M, N]]) -> None:
    scale_tile = tile.load(scale, 0)
    again = scale_tile
    for i in tile.tiles(M, 8):
        x_1 = tile.load(x, i, tile.whole)
        scale_tile_1 = tile.load(scale, 0)
        mul = tile.mul(scale_tile_1, x_1)
        pow = tile.pow(mul, 2)
        add = tile.add(pow, count)
        tile.store(y, add, i, tile.whole)
    for p in range(min(max(count, 0), M)):
        tile.store(y, again, p, tile.whole)
    flag_tile = tile.load(flag, 0)
    holds = tile.holds(flag_tile)
    last_tile = tile.load(last, 0)
    index = tile.index(last_tile)
    if holds and index > 3:
        x_tile = tile.load(x, tile.whole, tile.whole)
        scale_tile_2 = tile.load(scale, 0)
        gt = tile.gt(x_tile, scale_tile_2)
        x_tile_1 = tile.load(x, tile.whole, tile.whole)
        full = tile.full(f32, count, 1)
        where = tile.where(gt, x_tile_1, full)
        tile.store(y, where, tile.whole, tile.whole)
# ── typed ──
import htp
from htp import In, Out, bool_, f32, i64
from htp_tile import Tensor, kernel, Tile
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(scale: f32, x: In[Tensor[f32, M, N]], count: int, last: i64, flag: bool_, y: Out[Tensor[f32, M, N]]) -> None:
    scale_tile: Tile[f32, 1] = tile.load(scale, 0)
    again: Tile[f32, 1] = tile.cast(scale_tile, f32)
    for i in tile.tiles(M, 8):
        x_1: Tile[f32, i, N] = tile.load(x, i, tile.whole)
        scale_tile_1: Tile[f32, 1] = tile.load(scale, 0)
        mul: Tile[f32, i, N] = tile.mul(scale_tile_1, x_1)
        pow: Tile[f32, i, N] = tile.pow(mul, 2)
        count_f32: Tile[f32, 1] = tile.full(f32, count, 1)
        add: Tile[f32, i, N] = tile.add(pow, count_f32)
        tile.store(y, add, i, tile.whole)
    for p in range(min(max(count, 0), M)):
        tile.store(y, again, p, tile.whole)
    flag_tile: Tile[bool_, 1] = tile.load(flag, 0)
    holds = tile.holds(flag_tile)
    last_tile: Tile[i64, 1] = tile.load(last, 0)
    index = tile.index(last_tile)
    if holds and index > 3:
        x_tile: Tile[f32, M, N] = tile.load(x, tile.whole, tile.whole)
        scale_tile_2: Tile[f32, 1] = tile.load(scale, 0)
        gt: Tile[bool_, M, N] = tile.gt(x_tile, scale_tile_2)
        x_tile_1: Tile[f32, M, N] = tile.load(x, tile.whole, tile.whole)
        full: Tile[f32, 1] = tile.full(f32, count, 1)
        where: Tile[f32, M, N] = tile.where(gt, x_tile_1, full)
        tile.store(y, where, tile.whole, tile.whole)
