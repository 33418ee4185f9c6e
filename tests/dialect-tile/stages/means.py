import math
from math import pi as HALF_TURN
import math
from math import pi as HALF_TURN

import htp
from htp import In, Out, bf16, f32
from htp_tile import Tensor, kernel, reduce_max, reduce_mean, reduce_sum, tiles

M = htp.dim("M")
N = htp.dim("N")
TURN = 2 * math.pi


@kernel
def k(x: In[Tensor[f32, M, N]], h: In[Tensor[bf16, M, N]], w: In[Tensor[f32, N, N]], y: Out[Tensor[f32, M, N]], z: Out[Tensor[bf16, M, 1]]) -> None:
    for i in tiles(M, 8):
        row = x[i, :]
        y[i, :] = (row - reduce_mean(row, axis=-1)) @ w[:, :] * TURN + reduce_mean(row, axis=0) / HALF_TURN + math.e
        z[i, :] = reduce_mean(h[i, :], axis=1) + reduce_max(h[i, :], axis=(0, 1)) + reduce_sum(h[i, :], axis=(1,))
# ── canonical ──
import math
from math import pi as HALF_TURN
import math
from math import pi as HALF_TURN

import htp
from htp import In, Out, bf16, f32
from htp_tile import Tensor, kernel
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")
TURN = 2 * math.pi


@kernel
def k(x: In[Tensor[f32, M, N]], h: In[Tensor[bf16, M, N]], w: In[Tensor[f32, N, N]], y: Out[Tensor[f32, M, N]], z: Out[Tensor[bf16, M, 1]]) -> None:
    for i in tile.tiles(M, 8):
        row = tile.load(x, i, tile.whole)
        reduce_mean = tile.reduce_mean(row, axis=-1)
        sub = tile.sub(row, reduce_mean)
        w_tile = tile.load(w, tile.whole, tile.whole)
        matmul = tile.matmul(sub, w_tile)
        mul = tile.mul(matmul, 6.283185307179586)
        reduce_mean_1 = tile.reduce_mean(row, axis=0)
        div = tile.div(reduce_mean_1, 3.141592653589793)
        add = tile.add(mul, div)
        add_1 = tile.add(add, 2.718281828459045)
        tile.store(y, add_1, i, tile.whole)
        h_tile = tile.load(h, i, tile.whole)
        reduce_mean_2 = tile.reduce_mean(h_tile, axis=1)
        h_tile_1 = tile.load(h, i, tile.whole)
        reduce_max = tile.reduce_max(h_tile_1, axis=0)
        reduce_max_1 = tile.reduce_max(reduce_max, axis=1)
        add_2 = tile.add(reduce_mean_2, reduce_max_1)
        h_tile_2 = tile.load(h, i, tile.whole)
        reduce_sum = tile.reduce_sum(h_tile_2, axis=1)
        add_3 = tile.add(add_2, reduce_sum)
        tile.store(z, add_3, i, tile.whole)
# ── typed ──
import math
from math import pi as HALF_TURN
import math
from math import pi as HALF_TURN

import htp
from htp import In, Out, bf16, f32
from htp_tile import Tensor, kernel, Tile
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")
TURN = 2 * math.pi


@kernel
def k(x: In[Tensor[f32, M, N]], h: In[Tensor[bf16, M, N]], w: In[Tensor[f32, N, N]], y: Out[Tensor[f32, M, N]], z: Out[Tensor[bf16, M, 1]]) -> None:
    for i in tile.tiles(M, 8):
        row: Tile[f32, i, N] = tile.load(x, i, tile.whole)
        total: Tile[f32, i, 1] = tile.reduce_sum(row, axis=-1)
        count: Tile[f32, 1] = tile.full(f32, N, 1)
        reduce_mean: Tile[f32, i, 1] = tile.div(total, count)
        sub: Tile[f32, i, N] = tile.sub(row, reduce_mean)
        w_tile: Tile[f32, N, N] = tile.load(w, tile.whole, tile.whole)
        matmul: Tile[f32, i, N] = tile.matmul(sub, w_tile)
        mul: Tile[f32, i, N] = tile.mul(matmul, 6.283185307179586)
        total_1: Tile[f32, 1, N] = tile.reduce_sum(row, axis=0)
        count_1: Tile[f32, 1] = tile.full(f32, len(i), 1)
        reduce_mean_1: Tile[f32, 1, N] = tile.div(total_1, count_1)
        div: Tile[f32, 1, N] = tile.div(reduce_mean_1, 3.141592653589793)
        add: Tile[f32, i, N] = tile.add(mul, div)
        add_1: Tile[f32, i, N] = tile.add(add, 2.718281828459045)
        tile.store(y, add_1, i, tile.whole)
        h_tile: Tile[bf16, i, N] = tile.load(h, i, tile.whole)
        h_tile_f32: Tile[f32, i, N] = tile.cast(h_tile, f32)
        total_2: Tile[f32, i, 1] = tile.reduce_sum(h_tile_f32, axis=1)
        count_2: Tile[f32, 1] = tile.full(f32, N, 1)
        mean: Tile[f32, i, 1] = tile.div(total_2, count_2)
        reduce_mean_2: Tile[bf16, i, 1] = tile.cast(mean, bf16)
        h_tile_1: Tile[bf16, i, N] = tile.load(h, i, tile.whole)
        reduce_max: Tile[bf16, 1, N] = tile.reduce_max(h_tile_1, axis=0)
        reduce_max_1: Tile[bf16, 1, 1] = tile.reduce_max(reduce_max, axis=1)
        add_2: Tile[bf16, i, 1] = tile.add(reduce_mean_2, reduce_max_1)
        h_tile_2: Tile[bf16, i, N] = tile.load(h, i, tile.whole)
        reduce_sum: Tile[bf16, i, 1] = tile.reduce_sum(h_tile_2, axis=1)
        add_3: Tile[bf16, i, 1] = tile.add(add_2, reduce_sum)
        tile.store(z, add_3, i, tile.whole)
