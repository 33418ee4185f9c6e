import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, tiles

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


def helper(x):
    try:
        return [v for v in x]
    except ValueError:
        return None


@kernel
def other(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in tiles(N, 4):
        y[i] = x[i]


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in tiles(N, 8):
        y[i] = x[i] + x[i]
# ── canonical ──
import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, tiles
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


def helper(x):
    try:
        return [v for v in x]
    except ValueError:
        return None


@kernel
def other(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in tiles(N, 4):
        y[i] = x[i]


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in tile.tiles(N, 8):
        x_tile = tile.load(x, i)
        x_tile_1 = tile.load(x, i)
        add = tile.add(x_tile, x_tile_1)
        tile.store(y, add, i)
# ── typed ──
import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, tiles, Tile
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


def helper(x):
    try:
        return [v for v in x]
    except ValueError:
        return None


@kernel
def other(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in tiles(N, 4):
        y[i] = x[i]


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in tile.tiles(N, 8):
        x_tile: Tile[f32, i] = tile.load(x, i)
        x_tile_1: Tile[f32, i] = tile.load(x, i)
        add: Tile[f32, i] = tile.add(x_tile, x_tile_1)
        tile.store(y, add, i)
