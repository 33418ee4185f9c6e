"""Row softmax."""
import htp
from htp import In, Out, f32
from htp_tile import Tensor, exp, kernel, reduce_max, reduce_sum, tiles

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    """Over the rows."""
    # The rows, eight at a time.
    for i in tiles(M, 8):
        row = x[i, :]  # a whole row
        e = exp(row - reduce_max(row, axis=1))

        # Each row adds up to one.
        y[i, :] = e / reduce_sum(e, axis=1)
# ── canonical ──
"""Row softmax."""
import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    """Over the rows."""
    # The rows, eight at a time.
    for i in tile.tiles(M, 8):
        row = tile.load(x, i, tile.whole)  # a whole row
        reduce_max = tile.reduce_max(row, axis=1)
        sub = tile.sub(row, reduce_max)
        e = tile.exp(sub)
        reduce_sum = tile.reduce_sum(e, axis=1)
        div = tile.div(e, reduce_sum)
        # Each row adds up to one.
        tile.store(y, div, i, tile.whole)
# ── typed ──
"""Row softmax."""
import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, Tile
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    """Over the rows."""
    # The rows, eight at a time.
    for i in tile.tiles(M, 8):
        # a whole row
        row: Tile[f32, i, N] = tile.load(x, i, tile.whole)
        reduce_max: Tile[f32, i, 1] = tile.reduce_max(row, axis=1)
        sub: Tile[f32, i, N] = tile.sub(row, reduce_max)
        e: Tile[f32, i, N] = tile.exp(sub)
        reduce_sum: Tile[f32, i, 1] = tile.reduce_sum(e, axis=1)
        div: Tile[f32, i, N] = tile.div(e, reduce_sum)
        # Each row adds up to one.
        tile.store(y, div, i, tile.whole)
