import htp
from htp import In, Out, f32
from htp_tile import Tensor, full, holds, kernel, reduce_any, reduce_max, tiles

M = htp.dim("M")
N = htp.dim("N")
STEPS = 8


def near(x: f32, n: int) -> f32:
    return reduce_any(reduce_max(x, axis=1) > 1.0, axis=0)


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        e = x[i, :]
        n = 0
        m = 2 * N
        while n < STEPS and m > 0 and holds(near(e, n)) and not (n == 3 and holds(x[0, 0] > 2.0)):
            # halves
            e = e * 0.5
            n += 1
            part = e + 1.0
            while True:
                m -= 1
                if m < n or m < 0:
                    break
                e = part
        y[i, :] = e
    # a limit of sizes, a break at one, a count on every way on, halves
    for i in tiles(M, 8):
        n = 0
        while n < M * N + len(i):
            n += 1
        while True:
            n -= 2
            if n <= 0:
                break
        while n < 8:
            if M > 3:
                n += 1
            elif M > 2:
                n = 8
            else:
                break
        while n > 0:
            n = n // 2
# ── inlined ──
import htp
from htp import In, Out, f32
from htp_tile import Tensor, full, holds, kernel, reduce_any, reduce_max, tiles

M = htp.dim("M")
N = htp.dim("N")
STEPS = 8


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        e = x[i, :]
        n = 0
        m = 2 * N
        while n < STEPS and m > 0:
            if not holds(reduce_any(reduce_max(e, axis=1) > 1.0, axis=0)):
                break
            if n == 3 and holds(x[0, 0] > 2.0):
                break
            # halves
            e = e * 0.5
            n += 1
            part = e + 1.0
            while True:
                m -= 1
                if m < n or m < 0:
                    break
                e = part
        y[i, :] = e
    # a limit of sizes, a break at one, a count on every way on, halves
    for i in tiles(M, 8):
        n = 0
        while n < M * N + len(i):
            n += 1
        while True:
            n -= 2
            if n <= 0:
                break
        while n < 8:
            if M > 3:
                n += 1
            elif M > 2:
                n = 8
            else:
                break
        while n > 0:
            n = n // 2
# ── canonical ──
import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")
STEPS = 8


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tile.tiles(M, 8):
        e = tile.load(x, i, tile.whole)
        n = 0
        m = 2 * N
        while n < STEPS and m > 0:
            reduce_max = tile.reduce_max(e, axis=1)
            gt = tile.gt(reduce_max, 1.0)
            reduce_any = tile.reduce_any(gt, axis=0)
            holds = tile.holds(reduce_any)
            if not holds:
                break
            x_tile = tile.load(x, 0, 0)
            gt_1 = tile.gt(x_tile, 2.0)
            holds_1 = tile.holds(gt_1)
            if n == 3 and holds_1:
                break
            # halves
            e = tile.mul(e, 0.5)
            n = n + 1
            part = tile.add(e, 1.0)
            while True:
                m = m - 1
                if m < n or m < 0:
                    break
                e = part
        tile.store(y, e, i, tile.whole)
    # a limit of sizes, a break at one, a count on every way on, halves
    for i_1 in tile.tiles(M, 8):
        n_1 = 0
        while n_1 < M * N + len(i_1):
            n_1 = n_1 + 1
        while True:
            n_1 = n_1 - 2
            if n_1 <= 0:
                break
        while n_1 < 8:
            if M > 3:
                n_1 = n_1 + 1
            elif M > 2:
                n_1 = 8
            else:
                break
        while n_1 > 0:
            n_1 = n_1 // 2
# ── typed ──
import htp
from htp import In, Out, f32, bool_
from htp_tile import Tensor, kernel, Tile
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")
STEPS = 8


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tile.tiles(M, 8):
        e: Tile[f32, i, N] = tile.load(x, i, tile.whole)
        n = 0
        m = 2 * N
        while n < STEPS and m > 0:
            reduce_max: Tile[f32, i, 1] = tile.reduce_max(e, axis=1)
            gt: Tile[bool_, i, 1] = tile.gt(reduce_max, 1.0)
            reduce_any: Tile[bool_, 1, 1] = tile.reduce_any(gt, axis=0)
            holds = tile.holds(reduce_any)
            if not holds:
                break
            x_tile: Tile[f32, 1, 1] = tile.load(x, 0, 0)
            gt_1: Tile[bool_, 1, 1] = tile.gt(x_tile, 2.0)
            holds_1 = tile.holds(gt_1)
            if n == 3 and holds_1:
                break
            # halves
            e = tile.mul(e, 0.5)
            n = n + 1
            part: Tile[f32, i, N] = tile.add(e, 1.0)
            while True:
                m = m - 1
                if m < n or m < 0:
                    break
                e = tile.cast(part, f32)
        tile.store(y, e, i, tile.whole)
    # a limit of sizes, a break at one, a count on every way on, halves
    for i_1 in tile.tiles(M, 8):
        n_1 = 0
        while n_1 < M * N + len(i_1):
            n_1 = n_1 + 1
        while True:
            n_1 = n_1 - 2
            if n_1 <= 0:
                break
        while n_1 < 8:
            if M > 3:
                n_1 = n_1 + 1
            elif M > 2:
                n_1 = 8
            else:
                break
        while n_1 > 0:
            n_1 = n_1 // 2
