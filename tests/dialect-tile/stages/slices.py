import htp
from htp import In, InOut, Out, f32
from htp_tile import Tensor, buffer, kernel, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")
WIDTH = 8


@kernel
def k(x: In[Tensor[f32, M, N]], z: InOut[Tensor[f32, M, 64]], s: Out[Tensor[f32, M, 1]]) -> None:
    for i in tiles(M, 4):
        s[i, :] = 0.0
        half = x[i, : N // 2] + zeros(f32, i, N // 2)
        z[i.start : i.stop, ::2] *= 2.0
        h = buffer(f32, i, WIDTH)
        h[:, :] = 0.0
        for p in range(7):
            z[i, p * WIDTH : (p + 1) * WIDTH] = h[i, :]
# ── inlined ──
import htp
from htp import In, InOut, Out, f32
from htp_tile import Tensor, buffer, kernel, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")
WIDTH = 8


@kernel
def k(x: In[Tensor[f32, M, N]], z: InOut[Tensor[f32, M, 64]], s: Out[Tensor[f32, M, 1]]) -> None:
    for i in tiles(M, 4):
        s[i, :] = 0.0
        half = x[i, slice(None, N // 2)] + zeros(f32, i, N // 2)
        z[slice(i.start, i.stop), slice(None, None, 2)] = z[slice(i.start, i.stop), slice(None, None, 2)] * 2.0
        h = buffer(f32, i, WIDTH)
        h[:, :] = 0.0
        for p in range(7):
            z[i, slice(p * WIDTH, (p + 1) * WIDTH)] = h[i, :]
# ── canonical ──
import htp
from htp import In, InOut, Out, f32
from htp_tile import Tensor, kernel
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")
WIDTH = 8


@kernel
def k(x: In[Tensor[f32, M, N]], z: InOut[Tensor[f32, M, 64]], s: Out[Tensor[f32, M, 1]]) -> None:
    for i in tile.tiles(M, 4):
        tile.store(s, 0.0, i, tile.whole)
        x_tile = tile.load(x, i, slice(None, N // 2))
        zeros = tile.zeros(f32, i, N // 2)
        half = tile.add(x_tile, zeros)
        z_tile = tile.load(z, slice(i.start, i.stop), slice(None, None, 2))
        mul = tile.mul(z_tile, 2.0)
        tile.store(z, mul, slice(i.start, i.stop), slice(None, None, 2))
        h = tile.buffer(f32, i, 8)
        tile.store(h, 0.0, tile.whole, tile.whole)
        for p in range(7):
            h_tile = tile.load(h, i, tile.whole)
            tile.store(z, h_tile, i, slice(p * WIDTH, (p + 1) * WIDTH))
# ── typed ──
import htp
from htp import In, InOut, Out, f32
from htp_tile import Tensor, kernel, Tile
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")
WIDTH = 8


@kernel
def k(x: In[Tensor[f32, M, N]], z: InOut[Tensor[f32, M, 64]], s: Out[Tensor[f32, M, 1]]) -> None:
    for i in tile.tiles(M, 4):
        tile.store(s, 0.0, i, tile.whole)
        x_tile: Tile[f32, i, N // 2] = tile.load(x, i, slice(0, N // 2))
        zeros: Tile[f32, i, N // 2] = tile.zeros(f32, i, N // 2)
        half: Tile[f32, i, N // 2] = tile.add(x_tile, zeros)
        z_tile: Tile[f32, i, 32] = tile.load(z, i, slice(0, 64, 2))
        mul: Tile[f32, i, 32] = tile.mul(z_tile, 2.0)
        tile.store(z, mul, i, slice(0, 64, 2))
        h: Tensor[f32, i, 8] = tile.buffer(f32, i, 8)
        tile.store(h, 0.0, tile.whole, tile.whole)
        for p in range(7):
            h_tile: Tile[f32, i, 8] = tile.load(h, i, tile.whole)
            tile.store(z, h_tile, i, slice(p * WIDTH, (p + 1) * WIDTH))
