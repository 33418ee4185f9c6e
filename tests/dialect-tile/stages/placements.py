import htp
from htp import In, Out, f32
from htp_tile import Tensor, exp, kernel, matmul, reduce_max, reduce_mean, reduce_sum, reshape, tiles, transpose, where, zeros

MESH = 4


@kernel
def k(
    x: In[Tensor[f32, 64, 48, htp.layouts.shard((64, 48), ("x", None), mesh={"x": MESH})]],
    bias: In[Tensor[f32, 1, 48, htp.layouts.shard((1, 48), (None, None), mesh={"x": MESH})]],
    w: In[Tensor[f32, 48, 32, htp.layouts.shard((48, 32), (None, None), mesh={"x": MESH})]],
    rows: In[Tensor[f32, 8, 64, htp.layouts.ordered((8, 64), (0, 1))]],
    y: Out[Tensor[f32, 64, 48, htp.layouts.shard((64, 48), ("x", None), mesh={"x": MESH})]],
    z: Out[Tensor[f32, 32, 64, htp.layouts.shard((32, 64), (None, "x"), mesh={"x": MESH})]],
    u: Out[Tensor[f32, 64, 1]],
    v: Out[Tensor[f32, 64, 8]],
    c: Out[Tensor[f32, 64, 48, htp.layouts.shard((64, 48), ("x", None), mesh={"x": MESH})]],
) -> None:
    t = x[:, :] + bias[:, :]
    e = exp(t - reduce_max(t, axis=1))
    y[:, :] = e / reduce_sum(e, axis=1)
    centred = e - reduce_mean(e, axis=1)
    acc = zeros(f32, 64, 32)
    for n in range(3):
        acc = matmul(centred, w[:, :], acc)
    turned = transpose(acc) * 2.0
    halves = reshape(acc, 64, 2, 16)
    z[:, :] = turned + transpose(reshape(halves, 64, 32))
    columns = x[:, 0:16] + x[:, 16:32]
    u[:, :] = reduce_sum(where(centred > 0, centred, e), axis=1) + reduce_sum(columns * columns, axis=1)
    v[:, :] = transpose(rows[:, :])
    for i in tiles(64, 8):
        for j in tiles(48, 16):
            c[i, j] = x[i, j] * bias[:, j]
# ── inlined ──
import htp
from htp import In, Out, f32
from htp_tile import Tensor, exp, kernel, matmul, reduce_max, reduce_mean, reduce_sum, reshape, tiles, transpose, where, zeros

MESH = 4


@kernel
def k(x: In[Tensor[f32, 64, 48, htp.layouts.shard((64, 48), ("x", None), mesh={"x": MESH})]], bias: In[Tensor[f32, 1, 48, htp.layouts.shard((1, 48), (None, None), mesh={"x": MESH})]], w: In[Tensor[f32, 48, 32, htp.layouts.shard((48, 32), (None, None), mesh={"x": MESH})]], rows: In[Tensor[f32, 8, 64, htp.layouts.ordered((8, 64), (0, 1))]], y: Out[Tensor[f32, 64, 48, htp.layouts.shard((64, 48), ("x", None), mesh={"x": MESH})]], z: Out[Tensor[f32, 32, 64, htp.layouts.shard((32, 64), (None, "x"), mesh={"x": MESH})]], u: Out[Tensor[f32, 64, 1]], v: Out[Tensor[f32, 64, 8]], c: Out[Tensor[f32, 64, 48, htp.layouts.shard((64, 48), ("x", None), mesh={"x": MESH})]]) -> None:
    t = x[:, :] + bias[:, :]
    e = exp(t - reduce_max(t, axis=1))
    y[:, :] = e / reduce_sum(e, axis=1)
    centred = e - reduce_mean(e, axis=1)
    acc = zeros(f32, 64, 32)
    for n in range(3):
        acc = matmul(centred, w[:, :], acc)
    turned = transpose(acc) * 2.0
    halves = reshape(acc, 64, 2, 16)
    z[:, :] = turned + transpose(reshape(halves, 64, 32))
    columns = x[:, slice(0, 16)] + x[:, slice(16, 32)]
    u[:, :] = reduce_sum(where(centred > 0, centred, e), axis=1) + reduce_sum(columns * columns, axis=1)
    v[:, :] = transpose(rows[:, :])
    for i in tiles(64, 8):
        for j in tiles(48, 16):
            c[i, j] = x[i, j] * bias[:, j]
# ── canonical ──
import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel
import htp_tile as tile

MESH = 4


@kernel
def k(x: In[Tensor[f32, 64, 48, htp.layouts.shard((64, 48), ("x", None), mesh={"x": MESH})]], bias: In[Tensor[f32, 1, 48, htp.layouts.shard((1, 48), (None, None), mesh={"x": MESH})]], w: In[Tensor[f32, 48, 32, htp.layouts.shard((48, 32), (None, None), mesh={"x": MESH})]], rows: In[Tensor[f32, 8, 64, htp.layouts.ordered((8, 64), (0, 1))]], y: Out[Tensor[f32, 64, 48, htp.layouts.shard((64, 48), ("x", None), mesh={"x": MESH})]], z: Out[Tensor[f32, 32, 64, htp.layouts.shard((32, 64), (None, "x"), mesh={"x": MESH})]], u: Out[Tensor[f32, 64, 1]], v: Out[Tensor[f32, 64, 8]], c: Out[Tensor[f32, 64, 48, htp.layouts.shard((64, 48), ("x", None), mesh={"x": MESH})]]) -> None:
    x_tile = tile.load(x, tile.whole, tile.whole)
    bias_tile = tile.load(bias, tile.whole, tile.whole)
    t = tile.add(x_tile, bias_tile)
    reduce_max = tile.reduce_max(t, axis=1)
    sub = tile.sub(t, reduce_max)
    e = tile.exp(sub)
    reduce_sum = tile.reduce_sum(e, axis=1)
    div = tile.div(e, reduce_sum)
    tile.store(y, div, tile.whole, tile.whole)
    reduce_mean = tile.reduce_mean(e, axis=1)
    centred = tile.sub(e, reduce_mean)
    acc = tile.zeros(f32, 64, 32)
    for n in range(3):
        w_tile = tile.load(w, tile.whole, tile.whole)
        acc = tile.matmul(centred, w_tile, acc)
    transpose = tile.transpose(acc)
    turned = tile.mul(transpose, 2.0)
    halves = tile.reshape(acc, 64, 2, 16)
    reshape = tile.reshape(halves, 64, 32)
    transpose_1 = tile.transpose(reshape)
    add = tile.add(turned, transpose_1)
    tile.store(z, add, tile.whole, tile.whole)
    x_tile_1 = tile.load(x, tile.whole, slice(0, 16))
    x_tile_2 = tile.load(x, tile.whole, slice(16, 32))
    columns = tile.add(x_tile_1, x_tile_2)
    gt = tile.gt(centred, 0)
    where = tile.where(gt, centred, e)
    reduce_sum_1 = tile.reduce_sum(where, axis=1)
    mul = tile.mul(columns, columns)
    reduce_sum_2 = tile.reduce_sum(mul, axis=1)
    add_1 = tile.add(reduce_sum_1, reduce_sum_2)
    tile.store(u, add_1, tile.whole, tile.whole)
    rows_tile = tile.load(rows, tile.whole, tile.whole)
    transpose_2 = tile.transpose(rows_tile)
    tile.store(v, transpose_2, tile.whole, tile.whole)
    for i in tile.tiles(64, 8):
        for j in tile.tiles(48, 16):
            x_tile_3 = tile.load(x, i, j)
            bias_tile_1 = tile.load(bias, tile.whole, j)
            mul_1 = tile.mul(x_tile_3, bias_tile_1)
            tile.store(c, mul_1, i, j)
# ── typed ──
import htp
from htp import In, Out, f32, bool_
from htp_tile import Tensor, kernel, Tile
import htp_tile as tile

MESH = 4


@kernel
def k(x: In[Tensor[f32, 64, 48, htp.layouts.shard((64, 48), ("x", None), mesh={"x": MESH})]], bias: In[Tensor[f32, 1, 48, htp.layouts.shard((1, 48), (None, None), mesh={"x": MESH})]], w: In[Tensor[f32, 48, 32, htp.layouts.shard((48, 32), (None, None), mesh={"x": MESH})]], rows: In[Tensor[f32, 8, 64, htp.layouts.ordered((8, 64), (0, 1))]], y: Out[Tensor[f32, 64, 48, htp.layouts.shard((64, 48), ("x", None), mesh={"x": MESH})]], z: Out[Tensor[f32, 32, 64, htp.layouts.shard((32, 64), (None, "x"), mesh={"x": MESH})]], u: Out[Tensor[f32, 64, 1]], v: Out[Tensor[f32, 64, 8]], c: Out[Tensor[f32, 64, 48, htp.layouts.shard((64, 48), ("x", None), mesh={"x": MESH})]]) -> None:
    x_tile: Tile[f32, 64, 48, htp.layout(((4, 1, 'x'), (768, 1, 'm')))] = tile.load(x, tile.whole, tile.whole)
    bias_tile: Tile[f32, 1, 48, htp.layout(((48, 1, 'm'),), replicate=((4, 1, 'x'),))] = tile.load(bias, tile.whole, tile.whole)
    t: Tile[f32, 64, 48, htp.layout(((4, 1, 'x'), (768, 1, 'm')))] = tile.add(x_tile, bias_tile)
    reduce_max: Tile[f32, 64, 1, htp.layout(((4, 1, 'x'), (16, 1, 'm')))] = tile.reduce_max(t, axis=1)
    sub: Tile[f32, 64, 48, htp.layout(((4, 1, 'x'), (768, 1, 'm')))] = tile.sub(t, reduce_max)
    e: Tile[f32, 64, 48, htp.layout(((4, 1, 'x'), (768, 1, 'm')))] = tile.exp(sub)
    reduce_sum: Tile[f32, 64, 1, htp.layout(((4, 1, 'x'), (16, 1, 'm')))] = tile.reduce_sum(e, axis=1)
    div: Tile[f32, 64, 48, htp.layout(((4, 1, 'x'), (768, 1, 'm')))] = tile.div(e, reduce_sum)
    tile.store(y, div, tile.whole, tile.whole)
    total_1: Tile[f32, 64, 1, htp.layout(((4, 1, 'x'), (16, 1, 'm')))] = tile.reduce_sum(e, axis=1)
    count_1: Tile[f32, 1] = tile.full(f32, 48, 1)
    reduce_mean: Tile[f32, 64, 1, htp.layout(((4, 1, 'x'), (16, 1, 'm')))] = tile.div(total_1, count_1)
    centred: Tile[f32, 64, 48, htp.layout(((4, 1, 'x'), (768, 1, 'm')))] = tile.sub(e, reduce_mean)
    acc: Tile[f32, 64, 32, htp.layout(((4, 1, 'x'), (512, 1, 'm')))] = tile.zeros(f32, 64, 32)
    for n in range(3):
        w_tile: Tile[f32, 48, 32, htp.layout(((1536, 1, 'm'),), replicate=((4, 1, 'x'),))] = tile.load(w, tile.whole, tile.whole)
        acc = tile.matmul(centred, w_tile, acc)
    transpose: Tile[f32, 32, 64, htp.layout(((32, 16, 'm'), (4, 1, 'x'), (16, 1, 'm')))] = tile.transpose(acc)
    turned: Tile[f32, 32, 64, htp.layout(((32, 16, 'm'), (4, 1, 'x'), (16, 1, 'm')))] = tile.mul(transpose, 2.0)
    halves: Tile[f32, 64, 2, 16, htp.layout(((4, 1, 'x'), (512, 1, 'm')))] = tile.reshape(acc, 64, 2, 16)
    reshape: Tile[f32, 64, 32, htp.layout(((4, 1, 'x'), (512, 1, 'm')))] = tile.reshape(halves, 64, 32)
    transpose_1: Tile[f32, 32, 64, htp.layout(((32, 16, 'm'), (4, 1, 'x'), (16, 1, 'm')))] = tile.transpose(reshape)
    add: Tile[f32, 32, 64, htp.layout(((32, 16, 'm'), (4, 1, 'x'), (16, 1, 'm')))] = tile.add(turned, transpose_1)
    tile.store(z, add, tile.whole, tile.whole)
    x_tile_1: Tile[f32, 64, 16, htp.layout(((4, 1, 'x'), (256, 1, 'm')))] = tile.load(x, tile.whole, slice(0, 16))
    x_tile_2: Tile[f32, 64, 16, htp.layout(((4, 1, 'x'), (256, 1, 'm')))] = tile.load(x, tile.whole, slice(16, 32))
    columns: Tile[f32, 64, 16, htp.layout(((4, 1, 'x'), (256, 1, 'm')))] = tile.add(x_tile_1, x_tile_2)
    gt: Tile[bool_, 64, 48, htp.layout(((4, 1, 'x'), (768, 1, 'm')))] = tile.gt(centred, 0)
    where: Tile[f32, 64, 48, htp.layout(((4, 1, 'x'), (768, 1, 'm')))] = tile.where(gt, centred, e)
    reduce_sum_1: Tile[f32, 64, 1, htp.layout(((4, 1, 'x'), (16, 1, 'm')))] = tile.reduce_sum(where, axis=1)
    mul: Tile[f32, 64, 16, htp.layout(((4, 1, 'x'), (256, 1, 'm')))] = tile.mul(columns, columns)
    reduce_sum_2: Tile[f32, 64, 1, htp.layout(((4, 1, 'x'), (16, 1, 'm')))] = tile.reduce_sum(mul, axis=1)
    add_1: Tile[f32, 64, 1, htp.layout(((4, 1, 'x'), (16, 1, 'm')))] = tile.add(reduce_sum_1, reduce_sum_2)
    tile.store(u, add_1, tile.whole, tile.whole)
    rows_tile: Tile[f32, 8, 64, htp.layout(((512, 1, 'm'),))] = tile.load(rows, tile.whole, tile.whole)
    transpose_2: Tile[f32, 64, 8] = tile.transpose(rows_tile)
    tile.store(v, transpose_2, tile.whole, tile.whole)
    for i in tile.tiles(64, 8):
        for j in tile.tiles(48, 16):
            x_tile_3: Tile[f32, i, j, htp.layout(((4, 1, 'x'), (768, 1, 'm')))] = tile.load(x, i, j)
            bias_tile_1: Tile[f32, 1, j, htp.layout(((48, 1, 'm'),), replicate=((4, 1, 'x'),))] = tile.load(bias, tile.whole, j)
            mul_1: Tile[f32, i, j, htp.layout(((4, 1, 'x'), (768, 1, 'm')))] = tile.mul(x_tile_3, bias_tile_1)
            tile.store(c, mul_1, i, j)
