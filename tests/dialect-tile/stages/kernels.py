import htp
from htp import In, InOut, Out, f32
from htp_tile import Tensor, buffer, exp, kernel, reduce_max, reduce_sum, tiles

M = htp.dim("M")
N = htp.dim("N")
A = htp.dim("A")


def raised(x: Tensor[f32, M, N], p: int) -> f32:
    return x[p, :] + M


@kernel
def softmax(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        e = exp(x[i, :] - reduce_max(x[i, :], axis=1))
        y[i, :] = e / reduce_sum(e, axis=1)


@kernel
def added(x: In[Tensor[f32, M, N]], by: f32, count: int, y: InOut[Tensor[f32, M, 2 * N]]) -> None:
    if count == 0:
        return
    for p in range(M):
        y[p, :N] += raised(x, p) * by


@kernel
def k(x: In[Tensor[f32, A, 64]], alpha: f32, y: InOut[Tensor[f32, A, 128]]) -> None:
    h = buffer(f32, A, 64)
    softmax(x, h)
    added(h, alpha, A, y)
    added(x=x, y=y, by=2, count=3)
# ── structured ──
import htp
from htp import In, InOut, Out, f32
from htp_tile import Tensor, buffer, exp, kernel, reduce_max, reduce_sum, tiles

M = htp.dim("M")
N = htp.dim("N")
A = htp.dim("A")


def raised(x: Tensor[f32, M, N], p: int) -> f32:
    return x[p, :] + M


@kernel
def softmax(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        e = exp(x[i, :] - reduce_max(x[i, :], axis=1))
        y[i, :] = e / reduce_sum(e, axis=1)


@kernel
def added(x: In[Tensor[f32, M, N]], by: f32, count: int, y: InOut[Tensor[f32, M, 2 * N]]) -> None:
    if not count == 0:
        for p in range(M):
            y[p, :N] += raised(x, p) * by


@kernel
def k(x: In[Tensor[f32, A, 64]], alpha: f32, y: InOut[Tensor[f32, A, 128]]) -> None:
    h = buffer(f32, A, 64)
    softmax(x, h)
    added(h, alpha, A, y)
    added(x=x, y=y, by=2, count=3)
# ── inlined ──
import htp
from htp import In, InOut, Out, f32
from htp_tile import Tensor, buffer, exp, kernel, reduce_max, reduce_sum, tiles
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")
A = htp.dim("A")


@kernel
def k(x: In[Tensor[f32, A, 64]], alpha: f32, y: InOut[Tensor[f32, A, 128]]) -> None:
    h = buffer(f32, A, 64)
    for i in tiles(A, 8):
        e = exp(x[i, :] - reduce_max(x[i, :], axis=1))
        h[i, :] = e / reduce_sum(e, axis=1)
    if not A == 0:
        for p in range(A):
            y[p, slice(None, 64)] = y[p, slice(None, 64)] + (h[p, :] + A) * alpha
    by = tile.full(htp.f32, 2, 1)
    if not 3 == 0:
        for p_1 in range(A):
            y[p_1, slice(None, 64)] = y[p_1, slice(None, 64)] + (x[p_1, :] + A) * by
# ── canonical ──
import htp
from htp import In, InOut, Out, f32
from htp_tile import Tensor, kernel
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")
A = htp.dim("A")


@kernel
def k(x: In[Tensor[f32, A, 64]], alpha: f32, y: InOut[Tensor[f32, A, 128]]) -> None:
    h = tile.buffer(f32, A, 64)
    for i in tile.tiles(A, 8):
        x_tile = tile.load(x, i, tile.whole)
        x_tile_1 = tile.load(x, i, tile.whole)
        reduce_max = tile.reduce_max(x_tile_1, axis=1)
        sub = tile.sub(x_tile, reduce_max)
        e = tile.exp(sub)
        reduce_sum = tile.reduce_sum(e, axis=1)
        div = tile.div(e, reduce_sum)
        tile.store(h, div, i, tile.whole)
    if not A == 0:
        for p in range(A):
            y_tile = tile.load(y, p, slice(None, 64))
            h_tile = tile.load(h, p, tile.whole)
            add = tile.add(h_tile, A)
            alpha_tile = tile.load(alpha, 0)
            mul = tile.mul(add, alpha_tile)
            add_1 = tile.add(y_tile, mul)
            tile.store(y, add_1, p, slice(None, 64))
    by = tile.full(htp.f32, 2, 1)
    if not 3 == 0:
        for p_1 in range(A):
            y_tile_1 = tile.load(y, p_1, slice(None, 64))
            x_tile_2 = tile.load(x, p_1, tile.whole)
            add_2 = tile.add(x_tile_2, A)
            mul_1 = tile.mul(add_2, by)
            add_3 = tile.add(y_tile_1, mul_1)
            tile.store(y, add_3, p_1, slice(None, 64))
# ── typed ──
import htp
from htp import In, InOut, Out, f32
from htp_tile import Tensor, kernel, Tile
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")
A = htp.dim("A")


@kernel
def k(x: In[Tensor[f32, A, 64]], alpha: f32, y: InOut[Tensor[f32, A, 128]]) -> None:
    h: Tensor[f32, A, 64] = tile.buffer(f32, A, 64)
    for i in tile.tiles(A, 8):
        x_tile: Tile[f32, i, 64] = tile.load(x, i, tile.whole)
        x_tile_1: Tile[f32, i, 64] = tile.load(x, i, tile.whole)
        reduce_max: Tile[f32, i, 1] = tile.reduce_max(x_tile_1, axis=1)
        sub: Tile[f32, i, 64] = tile.sub(x_tile, reduce_max)
        e: Tile[f32, i, 64] = tile.exp(sub)
        reduce_sum: Tile[f32, i, 1] = tile.reduce_sum(e, axis=1)
        div: Tile[f32, i, 64] = tile.div(e, reduce_sum)
        tile.store(h, div, i, tile.whole)
    if not A == 0:
        for p in range(A):
            y_tile: Tile[f32, 1, 64] = tile.load(y, p, slice(0, 64))
            h_tile: Tile[f32, 1, 64] = tile.load(h, p, tile.whole)
            A_f32: Tile[f32, 1] = tile.full(f32, A, 1)
            add: Tile[f32, 1, 64] = tile.add(h_tile, A_f32)
            alpha_tile: Tile[f32, 1] = tile.load(alpha, 0)
            mul: Tile[f32, 1, 64] = tile.mul(add, alpha_tile)
            add_1: Tile[f32, 1, 64] = tile.add(y_tile, mul)
            tile.store(y, add_1, p, slice(0, 64))
    by: Tile[f32, 1] = tile.full(htp.f32, 2, 1)
    if not 3 == 0:
        for p_1 in range(A):
            y_tile_1: Tile[f32, 1, 64] = tile.load(y, p_1, slice(0, 64))
            x_tile_2: Tile[f32, 1, 64] = tile.load(x, p_1, tile.whole)
            A_f32_1: Tile[f32, 1] = tile.full(f32, A, 1)
            add_2: Tile[f32, 1, 64] = tile.add(x_tile_2, A_f32_1)
            mul_1: Tile[f32, 1, 64] = tile.mul(add_2, by)
            add_3: Tile[f32, 1, 64] = tile.add(y_tile_1, mul_1)
            tile.store(y, add_3, p_1, slice(0, 64))
