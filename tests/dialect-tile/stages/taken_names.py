import htp as h
import htp_tile
from htp import In, Out
from htp_tile import exp

N = h.dim("N")
tile = 16


@htp_tile.kernel
def k(x: In[htp_tile.Tensor[h.f32, N]], y: Out[htp_tile.Tensor[h.f32, N]]) -> None:
    for i in htp_tile.tiles(N, tile):
        exp_1 = htp_tile.load(x, i)
        f32 = exp(exp(exp_1))
        y[i] = f32
# ── canonical ──
import htp as h
import htp_tile
from htp import In, Out

N = h.dim("N")
tile = 16


@htp_tile.kernel
def k(x: In[htp_tile.Tensor[h.f32, N]], y: Out[htp_tile.Tensor[h.f32, N]]) -> None:
    for i in htp_tile.tiles(N, 16):
        exp_1 = htp_tile.load(x, i)
        exp = htp_tile.exp(exp_1)
        f32 = htp_tile.exp(exp)
        htp_tile.store(y, f32, i)
# ── typed ──
import htp as h
import htp_tile
from htp import In, Out
from htp_tile import Tile

N = h.dim("N")
tile = 16


@htp_tile.kernel
def k(x: In[htp_tile.Tensor[h.f32, N]], y: Out[htp_tile.Tensor[h.f32, N]]) -> None:
    for i in htp_tile.tiles(N, 16):
        exp_1: Tile[h.f32, i] = htp_tile.load(x, i)
        exp: Tile[h.f32, i] = htp_tile.exp(exp_1)
        f32: Tile[h.f32, i] = htp_tile.exp(exp)
        htp_tile.store(y, f32, i)
