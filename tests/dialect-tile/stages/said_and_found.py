import htp
from htp import In, Out, f32
from htp_tile import Tensor, Tile, kernel, zeros

ROWS = 8


@kernel
def k(x: In[Tensor[f32, ROWS, 64, htp.layouts.ordered((ROWS, 64), (0, 1)), htp.space("memory")]], y: Out[Tensor[f32, ROWS, 64]]) -> None:
    t: Tile[f32, ROWS, 64, htp.layouts.cute((ROWS, 64), (64, 1))] = zeros(f32, 8, 64)
    for p in range(3):
        t = t + x[:, :]
    y[:, :] = t
# ── canonical ──
import htp
from htp import In, Out, f32
from htp_tile import Tensor, Tile, kernel
import htp_tile as tile

ROWS = 8


@kernel
def k(x: In[Tensor[f32, ROWS, 64, htp.layouts.ordered((ROWS, 64), (0, 1)), htp.space("memory")]], y: Out[Tensor[f32, ROWS, 64]]) -> None:
    t: Tile[f32, ROWS, 64, htp.layouts.cute((ROWS, 64), (64, 1))] = tile.zeros(f32, 8, 64)
    for p in range(3):
        x_tile = tile.load(x, tile.whole, tile.whole)
        t = tile.add(t, x_tile)
    tile.store(y, t, tile.whole, tile.whole)
# ── typed ──
import htp
from htp import In, Out, f32
from htp_tile import Tensor, Tile, kernel
import htp_tile as tile

ROWS = 8


@kernel
def k(x: In[Tensor[f32, ROWS, 64, htp.layouts.ordered((ROWS, 64), (0, 1)), htp.space("memory")]], y: Out[Tensor[f32, ROWS, 64]]) -> None:
    t: Tile[f32, 8, 64, htp.layout(((512, 1, 'm'),))] = tile.zeros(f32, 8, 64)
    for p in range(3):
        x_tile: Tile[f32, 8, 64, htp.layout(((512, 1, 'm'),))] = tile.load(x, tile.whole, tile.whole)
        t = tile.add(t, x_tile)
    tile.store(y, t, tile.whole, tile.whole)
