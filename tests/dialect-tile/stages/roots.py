import htp
from htp import In, Out, bf16, f32
from htp_tile import Tensor, cast, exp, kernel, maximum, pow, reduce_max, reduce_mean, reduce_sum, tiles, where, zeros

M = htp.dim("M")
N = htp.dim("N")
EPSILON = 1e-5


@kernel
def k(x: In[Tensor[f32, M, N]], h: In[Tensor[bf16, M, N]], y: Out[Tensor[f32, M, N]], z: Out[Tensor[f32, M, 1]], m: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        row = x[i, :]
        centred = row - reduce_mean(row, axis=1)
        y[i, :] = centred * (reduce_sum(centred * centred, axis=1) / N + EPSILON) ** -0.5
        spread = zeros(f32, i, 1)
        for j in tiles(N, 16):
            spread = spread + reduce_sum(x[i, j] ** 2, axis=1)
        spread **= 0.5
        z[i, :] = spread + pow(maximum(reduce_max(row, axis=1), 1e-3), -0.5)
        largest = row
        for j in tiles(N, 16):
            largest = maximum(largest, exp(row))
        m[i, :] = where(row > 0.0, row, exp(row)) ** 0.5 + largest**-0.5 + (row * centred) ** 0.5 + cast(h[i, :], f32) ** -0.5
# ── canonical ──
import htp
from htp import In, Out, bf16, f32
from htp_tile import Tensor, kernel
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")
EPSILON = 1e-5


@kernel
def k(x: In[Tensor[f32, M, N]], h: In[Tensor[bf16, M, N]], y: Out[Tensor[f32, M, N]], z: Out[Tensor[f32, M, 1]], m: Out[Tensor[f32, M, N]]) -> None:
    for i in tile.tiles(M, 8):
        row = tile.load(x, i, tile.whole)
        reduce_mean = tile.reduce_mean(row, axis=1)
        centred = tile.sub(row, reduce_mean)
        mul = tile.mul(centred, centred)
        reduce_sum = tile.reduce_sum(mul, axis=1)
        div = tile.div(reduce_sum, N)
        add = tile.add(div, 1e-05)
        rsqrt = tile.rsqrt(add)
        mul_1 = tile.mul(centred, rsqrt)
        tile.store(y, mul_1, i, tile.whole)
        spread = tile.zeros(f32, i, 1)
        for j in tile.tiles(N, 16):
            x_tile = tile.load(x, i, j)
            pow = tile.pow(x_tile, 2)
            reduce_sum_1 = tile.reduce_sum(pow, axis=1)
            spread = tile.add(spread, reduce_sum_1)
        spread = tile.sqrt(spread)
        reduce_max = tile.reduce_max(row, axis=1)
        maximum = tile.maximum(reduce_max, 1e-3)
        rsqrt_1 = tile.rsqrt(maximum)
        add_1 = tile.add(spread, rsqrt_1)
        tile.store(z, add_1, i, tile.whole)
        largest = row
        for j_1 in tile.tiles(N, 16):
            exp = tile.exp(row)
            largest = tile.maximum(largest, exp)
        gt = tile.gt(row, 0.0)
        exp_1 = tile.exp(row)
        where = tile.where(gt, row, exp_1)
        pow_1 = tile.pow(where, 0.5)
        pow_2 = tile.pow(largest, -0.5)
        add_2 = tile.add(pow_1, pow_2)
        mul_2 = tile.mul(row, centred)
        pow_3 = tile.pow(mul_2, 0.5)
        add_3 = tile.add(add_2, pow_3)
        h_tile = tile.load(h, i, tile.whole)
        cast = tile.cast(h_tile, f32)
        pow_4 = tile.pow(cast, -0.5)
        add_4 = tile.add(add_3, pow_4)
        tile.store(m, add_4, i, tile.whole)
# ── typed ──
import htp
from htp import In, Out, bf16, f32, bool_
from htp_tile import Tensor, kernel, Tile
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")
EPSILON = 1e-5


@kernel
def k(x: In[Tensor[f32, M, N]], h: In[Tensor[bf16, M, N]], y: Out[Tensor[f32, M, N]], z: Out[Tensor[f32, M, 1]], m: Out[Tensor[f32, M, N]]) -> None:
    for i in tile.tiles(M, 8):
        row: Tile[f32, i, N] = tile.load(x, i, tile.whole)
        total: Tile[f32, i, 1] = tile.reduce_sum(row, axis=1)
        count: Tile[f32, 1] = tile.full(f32, N, 1)
        reduce_mean: Tile[f32, i, 1] = tile.div(total, count)
        centred: Tile[f32, i, N] = tile.sub(row, reduce_mean)
        mul: Tile[f32, i, N] = tile.mul(centred, centred)
        reduce_sum: Tile[f32, i, 1] = tile.reduce_sum(mul, axis=1)
        N_f32: Tile[f32, 1] = tile.full(f32, N, 1)
        div: Tile[f32, i, 1] = tile.div(reduce_sum, N_f32)
        add: Tile[f32, i, 1] = tile.add(div, 1e-05)
        rsqrt: Tile[f32, i, 1] = tile.rsqrt(add)
        mul_1: Tile[f32, i, N] = tile.mul(centred, rsqrt)
        tile.store(y, mul_1, i, tile.whole)
        spread: Tile[f32, i, 1] = tile.zeros(f32, i, 1)
        for j in tile.tiles(N, 16):
            x_tile: Tile[f32, i, j] = tile.load(x, i, j)
            pow: Tile[f32, i, j] = tile.pow(x_tile, 2)
            reduce_sum_1: Tile[f32, i, 1] = tile.reduce_sum(pow, axis=1)
            spread = tile.add(spread, reduce_sum_1)
        spread = tile.sqrt(spread)
        reduce_max: Tile[f32, i, 1] = tile.reduce_max(row, axis=1)
        maximum: Tile[f32, i, 1] = tile.maximum(reduce_max, 1e-3)
        rsqrt_1: Tile[f32, i, 1] = tile.rsqrt(maximum)
        add_1: Tile[f32, i, 1] = tile.add(spread, rsqrt_1)
        tile.store(z, add_1, i, tile.whole)
        largest: Tile[f32, i, N] = tile.cast(row, f32)
        for j_1 in tile.tiles(N, 16):
            exp: Tile[f32, i, N] = tile.exp(row)
            largest = tile.maximum(largest, exp)
        gt: Tile[bool_, i, N] = tile.gt(row, 0.0)
        exp_1: Tile[f32, i, N] = tile.exp(row)
        where: Tile[f32, i, N] = tile.where(gt, row, exp_1)
        pow_1: Tile[f32, i, N] = tile.pow(where, 0.5)
        pow_2: Tile[f32, i, N] = tile.pow(largest, -0.5)
        add_2: Tile[f32, i, N] = tile.add(pow_1, pow_2)
        mul_2: Tile[f32, i, N] = tile.mul(row, centred)
        pow_3: Tile[f32, i, N] = tile.pow(mul_2, 0.5)
        add_3: Tile[f32, i, N] = tile.add(add_2, pow_3)
        h_tile: Tile[bf16, i, N] = tile.load(h, i, tile.whole)
        cast: Tile[f32, i, N] = tile.cast(h_tile, f32)
        pow_4: Tile[f32, i, N] = tile.pow(cast, -0.5)
        add_4: Tile[f32, i, N] = tile.add(add_3, pow_4)
        tile.store(m, add_4, i, tile.whole)
