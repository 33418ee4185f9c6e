import htp
from htp import In, Out, f32
from htp_tile import Tensor, full, kernel, tiles

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


STEPS = 3


@kernel
def k(x: In[Tensor[f32, M, 4]], y: Out[Tensor[f32, M, 4]]) -> None:
    for i in tiles(M, size=8):
        total = full(f32, 0.0, i, 1)
        for n in htp.unrolled(range(STEPS)):
            if n + 1 < STEPS and not n == 1:
                part = x[i, n + 1]
            else:
                part = x[i, 0]
            total = total + part
            if n > min(M, 2):
                extra = part * 2.0
                total = total + extra
        y[i, :] = total
# ── canonical ──
import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


STEPS = 3


@kernel
def k(x: In[Tensor[f32, M, 4]], y: Out[Tensor[f32, M, 4]]) -> None:
    for i in tile.tiles(M, 8):
        total = tile.full(f32, 0.0, i, 1)
        for n in htp.unrolled(range(3)):
            if n + 1 < STEPS and (not n == 1):
                part = tile.load(x, i, n + 1)
            else:
                part = tile.load(x, i, 0)
            total = tile.add(total, part)
            if n > min(M, 2):
                extra = tile.mul(part, 2.0)
                total = tile.add(total, extra)
        tile.store(y, total, i, tile.whole)
# ── typed ──
import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, Tile
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


STEPS = 3


@kernel
def k(x: In[Tensor[f32, M, 4]], y: Out[Tensor[f32, M, 4]]) -> None:
    for i in tile.tiles(M, 8):
        total: Tile[f32, i, 1] = tile.full(f32, 0.0, i, 1)
        for n in htp.unrolled(range(3)):
            if n + 1 < STEPS and (not n == 1):
                part: Tile[f32, i, 1] = tile.load(x, i, n + 1)
            else:
                part = tile.load(x, i, 0)
            total = tile.add(total, part)
            if n > min(M, 2):
                extra: Tile[f32, i, 1] = tile.mul(part, 2.0)
                total = tile.add(total, extra)
        tile.store(y, total, i, tile.whole)
