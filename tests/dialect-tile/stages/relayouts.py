import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, relayout

ROWS = 8


@kernel
def k(
    x: In[Tensor[f32, ROWS, 64, htp.layouts.cute((ROWS, 64), (64, 1))]],
    y: In[Tensor[f32, ROWS, 64, htp.layouts.ordered((ROWS, 64), (1, 0))]],
    z: Out[Tensor[f32, ROWS, 64]],
) -> None:
    z[:, :] = x[:, :] + relayout(y[:, :], htp.layouts.strided((ROWS, 64), (64, 1)))
# ── canonical ──
import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel
import htp_tile as tile

ROWS = 8


@kernel
def k(x: In[Tensor[f32, ROWS, 64, htp.layouts.cute((ROWS, 64), (64, 1))]], y: In[Tensor[f32, ROWS, 64, htp.layouts.ordered((ROWS, 64), (1, 0))]], z: Out[Tensor[f32, ROWS, 64]]) -> None:
    x_tile = tile.load(x, tile.whole, tile.whole)
    y_tile = tile.load(y, tile.whole, tile.whole)
    relayout = tile.relayout(y_tile, htp.layout(((512, 1, 'm'),)))
    add = tile.add(x_tile, relayout)
    tile.store(z, add, tile.whole, tile.whole)
# ── typed ──
import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, Tile
import htp_tile as tile

ROWS = 8


@kernel
def k(x: In[Tensor[f32, ROWS, 64, htp.layouts.cute((ROWS, 64), (64, 1))]], y: In[Tensor[f32, ROWS, 64, htp.layouts.ordered((ROWS, 64), (1, 0))]], z: Out[Tensor[f32, ROWS, 64]]) -> None:
    x_tile: Tile[f32, 8, 64, htp.layout(((512, 1, 'm'),))] = tile.load(x, tile.whole, tile.whole)
    y_tile: Tile[f32, 8, 64, htp.layout(((8, 1, 'm'), (64, 8, 'm')))] = tile.load(y, tile.whole, tile.whole)
    relayout: Tile[f32, 8, 64, htp.layout(((512, 1, 'm'),))] = tile.relayout(y_tile, htp.layout(((512, 1, 'm'),)))
    add: Tile[f32, 8, 64, htp.layout(((512, 1, 'm'),))] = tile.add(x_tile, relayout)
    tile.store(z, add, tile.whole, tile.whole)
