import htp
from htp import Block, In, Out, f32
from htp_tile import Tensor, exp, full, kernel, maximum, reduce_max, tiles

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")
LOW = -1.0e30


def twice(v: f32) -> f32:
    """Not an entry: a function."""
    return v + v


def clipped(v: f32, low: float = LOW, *, high: float = 4.0) -> f32:
    v = maximum(v, low)  # assigned: a name of its own
    v = -maximum(-v, -high)
    return v


def peak(v: f32, old: f32) -> tuple[f32, f32]:
    new = maximum(old, reduce_max(v, axis=1))
    return new, exp(v - new)


def ceil_div(a: int, b: int) -> int:
    return (a + b - 1) // b


def put(to: Tensor[f32, M, N], v: f32, i: Block, j: Block) -> None:
    # where it goes
    to[i, j] = twice(twice(v))


def swapped(a: f32, b: f32) -> tuple[f32, f32]:
    return b, a


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 4):
        top = full(f32, LOW, i, 1)
        if ceil_div(N, 8) > 1:
            top = twice(full(f32, 0.5, i, 1))
        for j in tiles(N, 8):
            top, v = peak(x[i, j], top)
            twice_1 = clipped(v, high=2.0)
            a = twice_1 + 1.0
            b = v
            a, b = swapped(a, b)
            put(y, a + b * clipped(twice(x[i, j])), i, j)  # and out
# ── inlined ──
import htp
from htp import Block, In, Out, f32
from htp_tile import Tensor, exp, full, kernel, maximum, reduce_max, tiles

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")
LOW = -1.0e30


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 4):
        top = full(f32, LOW, i, 1)
        if (N + 8 - 1) // 8 > 1:
            v_1 = full(f32, 0.5, i, 1)
            top = v_1 + v_1
        for j in tiles(N, 8):
            v_2 = x[i, j]
            new = maximum(top, reduce_max(v_2, axis=1))
            top_1 = new
            v_3 = exp(v_2 - new)
            top = top_1
            v = v_3
            v_4 = v
            v_4 = maximum(v_4, LOW)  # assigned: a name of its own
            v_4 = -maximum(-v_4, -2.0)
            twice_1 = v_4
            a = twice_1 + 1.0
            b = v
            a_1 = b
            b_1 = a
            a = a_1
            b = b_1
            # and out
            v_5 = x[i, j]
            v_6 = v_5 + v_5
            v_6 = maximum(v_6, LOW)  # assigned: a name of its own
            v_6 = -maximum(-v_6, -4.0)
            v_7 = a + b * v_6
            v_8 = v_7 + v_7
            # where it goes
            y[i, j] = v_8 + v_8
# ── canonical ──
import htp
from htp import Block, In, Out, f32
from htp_tile import Tensor, kernel
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")
LOW = -1.0e30


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tile.tiles(M, 4):
        top = tile.full(f32, -1e+30, i, 1)
        if (N + 8 - 1) // 8 > 1:
            v_1 = tile.full(f32, 0.5, i, 1)
            top = tile.add(v_1, v_1)
        for j in tile.tiles(N, 8):
            v_2 = tile.load(x, i, j)
            reduce_max = tile.reduce_max(v_2, axis=1)
            new = tile.maximum(top, reduce_max)
            top_1 = new
            sub = tile.sub(v_2, new)
            v_3 = tile.exp(sub)
            top = top_1
            v = v_3
            v_4 = v
            v_4 = tile.maximum(v_4, -1e+30)  # assigned: a name of its own
            neg = tile.neg(v_4)
            maximum = tile.maximum(neg, -2.0)
            v_4 = tile.neg(maximum)
            twice_1 = v_4
            a = tile.add(twice_1, 1.0)
            b = v
            a_1 = b
            b_1 = a
            a = a_1
            b = b_1
            # and out
            v_5 = tile.load(x, i, j)
            v_6 = tile.add(v_5, v_5)
            v_6 = tile.maximum(v_6, -1e+30)  # assigned: a name of its own
            neg_1 = tile.neg(v_6)
            maximum_1 = tile.maximum(neg_1, -4.0)
            v_6 = tile.neg(maximum_1)
            mul = tile.mul(b, v_6)
            v_7 = tile.add(a, mul)
            v_8 = tile.add(v_7, v_7)
            add = tile.add(v_8, v_8)
            # where it goes
            tile.store(y, add, i, j)
# ── typed ──
import htp
from htp import Block, In, Out, f32
from htp_tile import Tensor, kernel, Tile
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")
LOW = -1.0e30


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tile.tiles(M, 4):
        top: Tile[f32, i, 1] = tile.full(f32, -1e+30, i, 1)
        if (N + 8 - 1) // 8 > 1:
            v_1: Tile[f32, i, 1] = tile.full(f32, 0.5, i, 1)
            top = tile.add(v_1, v_1)
        for j in tile.tiles(N, 8):
            v_2: Tile[f32, i, j] = tile.load(x, i, j)
            reduce_max: Tile[f32, i, 1] = tile.reduce_max(v_2, axis=1)
            new: Tile[f32, i, 1] = tile.maximum(top, reduce_max)
            top_1: Tile[f32, i, 1] = tile.cast(new, f32)
            sub: Tile[f32, i, j] = tile.sub(v_2, new)
            v_3: Tile[f32, i, j] = tile.exp(sub)
            top = tile.cast(top_1, f32)
            v: Tile[f32, i, j] = tile.cast(v_3, f32)
            v_4: Tile[f32, i, j] = tile.cast(v, f32)
            v_4 = tile.maximum(v_4, -1e+30)  # assigned: a name of its own
            neg: Tile[f32, i, j] = tile.neg(v_4)
            maximum: Tile[f32, i, j] = tile.maximum(neg, -2.0)
            v_4 = tile.neg(maximum)
            twice_1: Tile[f32, i, j] = tile.cast(v_4, f32)
            a: Tile[f32, i, j] = tile.add(twice_1, 1.0)
            b: Tile[f32, i, j] = tile.cast(v, f32)
            a_1: Tile[f32, i, j] = tile.cast(b, f32)
            b_1: Tile[f32, i, j] = tile.cast(a, f32)
            a = tile.cast(a_1, f32)
            b = tile.cast(b_1, f32)
            # and out
            v_5: Tile[f32, i, j] = tile.load(x, i, j)
            v_6: Tile[f32, i, j] = tile.add(v_5, v_5)
            v_6 = tile.maximum(v_6, -1e+30)  # assigned: a name of its own
            neg_1: Tile[f32, i, j] = tile.neg(v_6)
            maximum_1: Tile[f32, i, j] = tile.maximum(neg_1, -4.0)
            v_6 = tile.neg(maximum_1)
            mul: Tile[f32, i, j] = tile.mul(b, v_6)
            v_7: Tile[f32, i, j] = tile.add(a, mul)
            v_8: Tile[f32, i, j] = tile.add(v_7, v_7)
            add: Tile[f32, i, j] = tile.add(v_8, v_8)
            # where it goes
            tile.store(y, add, i, j)
