"""Buffers: of a dimension, of a block, and of a block in a block."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, buffer, exp, kernel, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    whole = buffer(f32, M, N)
    whole[:, :] = exp(x[:, :])
    for i in tiles(M, 16):
        h = buffer(f32, i, 1)
        for p in range(1):
            h[i, p] = x[i, p]
        for j in tiles(i, 4):
            for q in tiles(j, 2):
                y[q, :] = whole[q, :] + h[q, 0]
    for i in tiles(M, 16):
        h = buffer(f32, N, i)
# ── canonical ──
"""Buffers: of a dimension, of a block, and of a block in a block."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    whole = tile.buffer(f32, M, N)
    x_tile = tile.load(x, tile.whole, tile.whole)
    exp = tile.exp(x_tile)
    tile.store(whole, exp, tile.whole, tile.whole)
    for i in tile.tiles(M, 16):
        h = tile.buffer(f32, i, 1)
        for p in range(1):
            x_tile_1 = tile.load(x, i, p)
            tile.store(h, x_tile_1, i, p)
        for j in tile.tiles(i, 4):
            for q in tile.tiles(j, 2):
                whole_tile = tile.load(whole, q, tile.whole)
                h_tile = tile.load(h, q, 0)
                add = tile.add(whole_tile, h_tile)
                tile.store(y, add, q, tile.whole)
    for i_1 in tile.tiles(M, 16):
        h_1 = tile.buffer(f32, N, i_1)
# ── typed ──
"""Buffers: of a dimension, of a block, and of a block in a block."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, Tile
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    whole: Tensor[f32, M, N] = tile.buffer(f32, M, N)
    x_tile: Tile[f32, M, N] = tile.load(x, tile.whole, tile.whole)
    exp: Tile[f32, M, N] = tile.exp(x_tile)
    tile.store(whole, exp, tile.whole, tile.whole)
    for i in tile.tiles(M, 16):
        h: Tensor[f32, i, 1] = tile.buffer(f32, i, 1)
        for p in range(1):
            x_tile_1: Tile[f32, i, 1] = tile.load(x, i, p)
            tile.store(h, x_tile_1, i, p)
        for j in tile.tiles(i, 4):
            for q in tile.tiles(j, 2):
                whole_tile: Tile[f32, q, N] = tile.load(whole, q, tile.whole)
                h_tile: Tile[f32, q, 1] = tile.load(h, q, 0)
                add: Tile[f32, q, N] = tile.add(whole_tile, h_tile)
                tile.store(y, add, q, tile.whole)
    for i_1 in tile.tiles(M, 16):
        h_1: Tensor[f32, N, i_1] = tile.buffer(f32, N, i_1)
