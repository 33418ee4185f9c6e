import htp
from htp import In, InOut, Out, f32, i32
from htp_tile import Tensor, kernel, reduce_sum, tiles, where

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], g: In[Tensor[f32, N]], n: In[Tensor[i32, N]], s: Out[Tensor[f32, M]], y: InOut[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] += x[i, :] * g[:] / N  # of vectors
        s[i] = reduce_sum(x[i, :] ** 2, axis=1)
        if i.start > 0:
            y[i, :] = where(n[:] % 2 == 0, y[i, :], i.stop - 1)
    for p in range(M):
        y[p, :] *= p
# ── inlined ──
import htp
from htp import In, InOut, Out, f32, i32
from htp_tile import Tensor, kernel, reduce_sum, tiles, where

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], g: In[Tensor[f32, N]], n: In[Tensor[i32, N]], s: Out[Tensor[f32, M]], y: InOut[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        # of vectors
        y[i, :] = y[i, :] + x[i, :] * g[:] / N
        s[i] = reduce_sum(x[i, :] ** 2, axis=1)
        if i.start > 0:
            y[i, :] = where(n[:] % 2 == 0, y[i, :], i.stop - 1)
    for p in range(M):
        y[p, :] = y[p, :] * p
# ── canonical ──
import htp
from htp import In, InOut, Out, f32, i32
from htp_tile import Tensor, kernel
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], g: In[Tensor[f32, N]], n: In[Tensor[i32, N]], s: Out[Tensor[f32, M]], y: InOut[Tensor[f32, M, N]]) -> None:
    for i in tile.tiles(M, 8):
        y_tile = tile.load(y, i, tile.whole)
        x_tile = tile.load(x, i, tile.whole)
        g_tile = tile.load(g, tile.whole)
        mul = tile.mul(x_tile, g_tile)
        div = tile.div(mul, N)
        add = tile.add(y_tile, div)
        # of vectors
        tile.store(y, add, i, tile.whole)
        x_tile_1 = tile.load(x, i, tile.whole)
        pow = tile.pow(x_tile_1, 2)
        reduce_sum = tile.reduce_sum(pow, axis=1)
        tile.store(s, reduce_sum, i)
        if i.start > 0:
            n_tile = tile.load(n, tile.whole)
            mod = tile.mod(n_tile, 2)
            eq = tile.eq(mod, 0)
            y_tile_1 = tile.load(y, i, tile.whole)
            where = tile.where(eq, y_tile_1, i.stop - 1)
            tile.store(y, where, i, tile.whole)
    for p in range(M):
        y_tile_2 = tile.load(y, p, tile.whole)
        mul_1 = tile.mul(y_tile_2, p)
        tile.store(y, mul_1, p, tile.whole)
# ── typed ──
import htp
from htp import In, InOut, Out, f32, i32, bool_
from htp_tile import Tensor, kernel, Tile
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], g: In[Tensor[f32, N]], n: In[Tensor[i32, N]], s: Out[Tensor[f32, M]], y: InOut[Tensor[f32, M, N]]) -> None:
    for i in tile.tiles(M, 8):
        y_tile: Tile[f32, i, N] = tile.load(y, i, tile.whole)
        x_tile: Tile[f32, i, N] = tile.load(x, i, tile.whole)
        g_tile: Tile[f32, N] = tile.load(g, tile.whole)
        mul: Tile[f32, i, N] = tile.mul(x_tile, g_tile)
        N_f32: Tile[f32, 1] = tile.full(f32, N, 1)
        div: Tile[f32, i, N] = tile.div(mul, N_f32)
        add: Tile[f32, i, N] = tile.add(y_tile, div)
        # of vectors
        tile.store(y, add, i, tile.whole)
        x_tile_1: Tile[f32, i, N] = tile.load(x, i, tile.whole)
        pow: Tile[f32, i, N] = tile.pow(x_tile_1, 2)
        reduce_sum: Tile[f32, i, 1] = tile.reduce_sum(pow, axis=1)
        reduce_sum_1: Tile[f32, i] = tile.reshape(reduce_sum, i)
        tile.store(s, reduce_sum_1, i)
        if i.start > 0:
            n_tile: Tile[i32, N] = tile.load(n, tile.whole)
            mod: Tile[i32, N] = tile.mod(n_tile, 2)
            eq: Tile[bool_, N] = tile.eq(mod, 0)
            y_tile_1: Tile[f32, i, N] = tile.load(y, i, tile.whole)
            int_f32: Tile[f32, 1] = tile.full(f32, i.stop - 1, 1)
            where: Tile[f32, i, N] = tile.where(eq, y_tile_1, int_f32)
            tile.store(y, where, i, tile.whole)
    for p in range(M):
        y_tile_2: Tile[f32, 1, N] = tile.load(y, p, tile.whole)
        p_f32: Tile[f32, 1] = tile.full(f32, p, 1)
        mul_1: Tile[f32, 1, N] = tile.mul(y_tile_2, p_f32)
        tile.store(y, mul_1, p, tile.whole)
