import htp
from htp import In, InOut, Out, bool_, f16, f32, i32
from htp_tile import Tensor, cast, kernel, tiles, where

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


SIZE = 4 * 2
HALF = 1 / 2
DOWN = -7 // 2
REST = -7 % 3
ACROSS = 7 // -2
OVER = 7 % -3


@kernel
def k(x: In[Tensor[f32, N]], n: In[Tensor[i32, N]], y: InOut[Tensor[f32, N]]) -> None:
    eps = 1e-5
    for i in tiles(N, SIZE):
        v = -x[i] * HALF + eps
        v += 2
        v *= v
        v = v + DOWN + REST + ACROSS + OVER
        positive = 0.0 < v
        m = cast(n[i] + 1, f32)
        y[i] = where(positive, abs(v), -1) / (y[i] - m)
# ── canonical ──
import htp
from htp import In, InOut, Out, bool_, f16, f32, i32
from htp_tile import Tensor, kernel
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


SIZE = 4 * 2
HALF = 1 / 2
DOWN = -7 // 2
REST = -7 % 3
ACROSS = 7 // -2
OVER = 7 % -3


@kernel
def k(x: In[Tensor[f32, N]], n: In[Tensor[i32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for i in tile.tiles(N, 8):
        x_tile = tile.load(x, i)
        neg = tile.neg(x_tile)
        mul = tile.mul(neg, 0.5)
        v = tile.add(mul, 1e-05)
        v = tile.add(v, 2)
        v = tile.mul(v, v)
        add = tile.add(v, -4)
        add_1 = tile.add(add, 2)
        add_2 = tile.add(add_1, -4)
        v = tile.add(add_2, -2)
        positive = tile.lt(0.0, v)
        n_tile = tile.load(n, i)
        add_3 = tile.add(n_tile, 1)
        m = tile.cast(add_3, f32)
        absolute = tile.absolute(v)
        where = tile.where(positive, absolute, -1)
        y_tile = tile.load(y, i)
        sub = tile.sub(y_tile, m)
        div = tile.div(where, sub)
        tile.store(y, div, i)
# ── typed ──
import htp
from htp import In, InOut, Out, bool_, f16, f32, i32
from htp_tile import Tensor, kernel, Tile
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


SIZE = 4 * 2
HALF = 1 / 2
DOWN = -7 // 2
REST = -7 % 3
ACROSS = 7 // -2
OVER = 7 % -3


@kernel
def k(x: In[Tensor[f32, N]], n: In[Tensor[i32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for i in tile.tiles(N, 8):
        x_tile: Tile[f32, i] = tile.load(x, i)
        neg: Tile[f32, i] = tile.neg(x_tile)
        mul: Tile[f32, i] = tile.mul(neg, 0.5)
        v: Tile[f32, i] = tile.add(mul, 1e-05)
        v = tile.add(v, 2)
        v = tile.mul(v, v)
        add: Tile[f32, i] = tile.add(v, -4)
        add_1: Tile[f32, i] = tile.add(add, 2)
        add_2: Tile[f32, i] = tile.add(add_1, -4)
        v = tile.add(add_2, -2)
        positive: Tile[bool_, i] = tile.lt(0.0, v)
        n_tile: Tile[i32, i] = tile.load(n, i)
        add_3: Tile[i32, i] = tile.add(n_tile, 1)
        m: Tile[f32, i] = tile.cast(add_3, f32)
        absolute: Tile[f32, i] = tile.absolute(v)
        where: Tile[f32, i] = tile.where(positive, absolute, -1)
        y_tile: Tile[f32, i] = tile.load(y, i)
        sub: Tile[f32, i] = tile.sub(y_tile, m)
        div: Tile[f32, i] = tile.div(where, sub)
        tile.store(y, div, i)
