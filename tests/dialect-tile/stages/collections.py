"""Constants that are texts and tuples: compared, indexed and counted when compiling."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, maximum, tanh, tiles

M = htp.dim("M")
N = htp.dim("N")
MODE = "relu"
WAYS = ("relu", "tanh")
TILE = (16, 8 * 4)
SCALES = (0.5, -2.0)


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, TILE[0]):
        for j in tiles(N, TILE[-1]):
            t = x[i, j] * SCALES[1]
            if MODE == WAYS[0] and N > 3:
                t = maximum(t, SCALES[0])
            elif MODE != "relu" or len(TILE) > 2:
                t = tanh(t)
            for n in range(len(SCALES)):
                t = t * (n + 1)
            y[i, j] = t
# ── canonical ──
"""Constants that are texts and tuples: compared, indexed and counted when compiling."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, tanh
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")
MODE = "relu"
WAYS = ("relu", "tanh")
TILE = (16, 8 * 4)
SCALES = (0.5, -2.0)


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tile.tiles(M, 16):
        for j in tile.tiles(N, 32):
            x_tile = tile.load(x, i, j)
            t = tile.mul(x_tile, -2.0)
            if True and N > 3:
                t = tile.maximum(t, 0.5)
            elif False or 2 > 2:
                t = tile.tanh(t)
            for n in range(2):
                t = tile.mul(t, n + 1)
            tile.store(y, t, i, j)
# ── typed ──
"""Constants that are texts and tuples: compared, indexed and counted when compiling."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, tanh, Tile
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")
MODE = "relu"
WAYS = ("relu", "tanh")
TILE = (16, 8 * 4)
SCALES = (0.5, -2.0)


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tile.tiles(M, 16):
        for j in tile.tiles(N, 32):
            x_tile: Tile[f32, i, j] = tile.load(x, i, j)
            t: Tile[f32, i, j] = tile.mul(x_tile, -2.0)
            if True and N > 3:
                t = tile.maximum(t, 0.5)
            elif False or 2 > 2:
                t = tile.tanh(t)
            for n in range(2):
                int_f32: Tile[f32, 1] = tile.full(f32, n + 1, 1)
                t = tile.mul(t, int_f32)
            tile.store(y, t, i, j)
