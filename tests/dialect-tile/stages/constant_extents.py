import htp
from htp import In, Out, f32
from htp_tile import Tensor, buffer, full, kernel, reduce_sum, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")
G = 4
S = 8


def half(i: htp.Block) -> f32:
    return zeros(f32, i, N // G)


@kernel
def k(
    x: In[Tensor[f32, M, N]],
    w: In[Tensor[f32, N // G]],
    v: In[Tensor[f32, N % G + 1]],
    y: Out[Tensor[f32, M, N // G]],
    t: Out[Tensor[f32, S * G]],
    u: Out[Tensor[f32, N // G]],
) -> None:
    for i in tiles(M, 8):
        h = buffer(f32, i, N // G)
        h[:, :] = half(i) + w[:] + full(f32, 2.0, 1, N // G) + x[i, : N // G]
        y[i, :] = h[:, :]
    t[:] = full(f32, 1.0, S * G) + v[0]
    for j in tiles(N // G, 4):
        u[j] = w[j] * 2
# ── inlined ──
import htp
from htp import In, Out, f32
from htp_tile import Tensor, buffer, full, kernel, reduce_sum, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")
G = 4
S = 8


@kernel
def k(x: In[Tensor[f32, M, N]], w: In[Tensor[f32, N // G]], v: In[Tensor[f32, N % G + 1]], y: Out[Tensor[f32, M, N // G]], t: Out[Tensor[f32, S * G]], u: Out[Tensor[f32, N // G]]) -> None:
    for i in tiles(M, 8):
        h = buffer(f32, i, N // G)
        h[:, :] = zeros(f32, i, N // G) + w[:] + full(f32, 2.0, 1, N // G) + x[i, slice(None, N // G)]
        y[i, :] = h[:, :]
    t[:] = full(f32, 1.0, S * G) + v[0]
    for j in tiles(N // G, 4):
        u[j] = w[j] * 2
# ── canonical ──
import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")
G = 4
S = 8


@kernel
def k(x: In[Tensor[f32, M, N]], w: In[Tensor[f32, N // 4]], v: In[Tensor[f32, N % 4 + 1]], y: Out[Tensor[f32, M, N // 4]], t: Out[Tensor[f32, 32]], u: Out[Tensor[f32, N // 4]]) -> None:
    for i in tile.tiles(M, 8):
        h = tile.buffer(f32, i, N // 4)
        zeros = tile.zeros(f32, i, N // 4)
        w_tile = tile.load(w, tile.whole)
        add = tile.add(zeros, w_tile)
        full = tile.full(f32, 2.0, 1, N // 4)
        add_1 = tile.add(add, full)
        x_tile = tile.load(x, i, slice(None, N // G))
        add_2 = tile.add(add_1, x_tile)
        tile.store(h, add_2, tile.whole, tile.whole)
        h_tile = tile.load(h, tile.whole, tile.whole)
        tile.store(y, h_tile, i, tile.whole)
    full_1 = tile.full(f32, 1.0, 32)
    v_tile = tile.load(v, 0)
    add_3 = tile.add(full_1, v_tile)
    tile.store(t, add_3, tile.whole)
    for j in tile.tiles(N // G, 4):
        w_tile_1 = tile.load(w, j)
        mul = tile.mul(w_tile_1, 2)
        tile.store(u, mul, j)
# ── typed ──
import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, Tile
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")
G = 4
S = 8


@kernel
def k(x: In[Tensor[f32, M, N]], w: In[Tensor[f32, N // 4]], v: In[Tensor[f32, N % 4 + 1]], y: Out[Tensor[f32, M, N // 4]], t: Out[Tensor[f32, 32]], u: Out[Tensor[f32, N // 4]]) -> None:
    for i in tile.tiles(M, 8):
        h: Tensor[f32, i, N // 4] = tile.buffer(f32, i, N // 4)
        zeros: Tile[f32, i, N // 4] = tile.zeros(f32, i, N // 4)
        w_tile: Tile[f32, N // 4] = tile.load(w, tile.whole)
        add: Tile[f32, i, N // 4] = tile.add(zeros, w_tile)
        full: Tile[f32, 1, N // 4] = tile.full(f32, 2.0, 1, N // 4)
        add_1: Tile[f32, i, N // 4] = tile.add(add, full)
        x_tile: Tile[f32, i, N // 4] = tile.load(x, i, slice(0, N // G))
        add_2: Tile[f32, i, N // 4] = tile.add(add_1, x_tile)
        tile.store(h, add_2, tile.whole, tile.whole)
        h_tile: Tile[f32, i, N // 4] = tile.load(h, tile.whole, tile.whole)
        tile.store(y, h_tile, i, tile.whole)
    full_1: Tile[f32, 32] = tile.full(f32, 1.0, 32)
    v_tile: Tile[f32, 1] = tile.load(v, 0)
    add_3: Tile[f32, 32] = tile.add(full_1, v_tile)
    tile.store(t, add_3, tile.whole)
    for j in tile.tiles(N // G, 4):
        w_tile_1: Tile[f32, j] = tile.load(w, j)
        mul: Tile[f32, j] = tile.mul(w_tile_1, 2)
        tile.store(u, mul, j)
