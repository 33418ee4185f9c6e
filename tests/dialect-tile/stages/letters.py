import htp
from htp import In, Out, bool_, f16, f32
from htp_tile import Tensor, einsum, kernel, pad, roll, tiles

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def k(q: In[Tensor[f32, 2, M, K]], r: In[Tensor[f32, 2, N, K]], x: In[Tensor[f16, M, K]], y: Out[Tensor[f32, M, N]], s: Out[Tensor[f16, 1]], t: Out[Tensor[f16, K, M]], m: Out[Tensor[bool_, M, K + 2]]) -> None:
    for i in tiles(M, 8):
        # a sum over two letters
        y[i, :] = einsum("bmk,bnk->mn", q[:, i, :], r[:, :, :])
        z = einsum("mk,nl -> lm", roll(x[i, :], -1, axis=0), x[0, :])
        t[:, i] = z + roll(z, 3, axis=-2)
        m[i, :] = pad(x[i, :] > 0.0, (0, 2), axis=1)
    s[:] = einsum("mk,mk->", x[:, :], x[:, :])
# ── canonical ──
import htp
from htp import In, Out, bool_, f16, f32
from htp_tile import Tensor, kernel
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def k(q: In[Tensor[f32, 2, M, K]], r: In[Tensor[f32, 2, N, K]], x: In[Tensor[f16, M, K]], y: Out[Tensor[f32, M, N]], s: Out[Tensor[f16, 1]], t: Out[Tensor[f16, K, M]], m: Out[Tensor[bool_, M, K + 2]]) -> None:
    for i in tile.tiles(M, 8):
        q_tile = tile.load(q, tile.whole, i, tile.whole)
        r_tile = tile.load(r, tile.whole, tile.whole, tile.whole)
        einsum = tile.einsum("bmk,bnk->mn", q_tile, r_tile)
        # a sum over two letters
        tile.store(y, einsum, i, tile.whole)
        x_tile = tile.load(x, i, tile.whole)
        roll = tile.roll(x_tile, -1, axis=0)
        x_tile_1 = tile.load(x, 0, tile.whole)
        z = tile.einsum("mk,nl -> lm", roll, x_tile_1)
        roll_1 = tile.roll(z, 3, axis=-2)
        add = tile.add(z, roll_1)
        tile.store(t, add, tile.whole, i)
        x_tile_2 = tile.load(x, i, tile.whole)
        gt = tile.gt(x_tile_2, 0.0)
        pad = tile.pad(gt, (0, 2), axis=1)
        tile.store(m, pad, i, tile.whole)
    x_tile_3 = tile.load(x, tile.whole, tile.whole)
    x_tile_4 = tile.load(x, tile.whole, tile.whole)
    einsum_1 = tile.einsum("mk,mk->", x_tile_3, x_tile_4)
    tile.store(s, einsum_1, tile.whole)
# ── typed ──
import htp
from htp import In, Out, bool_, f16, f32, i32
from htp_tile import Tensor, kernel, Tile
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def k(q: In[Tensor[f32, 2, M, K]], r: In[Tensor[f32, 2, N, K]], x: In[Tensor[f16, M, K]], y: Out[Tensor[f32, M, N]], s: Out[Tensor[f16, 1]], t: Out[Tensor[f16, K, M]], m: Out[Tensor[bool_, M, K + 2]]) -> None:
    for i in tile.tiles(M, 8):
        q_tile: Tile[f32, 2, i, K] = tile.load(q, tile.whole, i, tile.whole)
        r_tile: Tile[f32, 2, N, K] = tile.load(r, tile.whole, tile.whole, tile.whole)
        transpose: Tile[f32, 2, K, N] = tile.transpose(r_tile, (0, 2, 1))
        matmul: Tile[f32, 2, i, N] = tile.matmul(q_tile, transpose)
        reduce_sum: Tile[f32, 1, i, N] = tile.reduce_sum(matmul, axis=0)
        reshape: Tile[f32, i, N] = tile.reshape(reduce_sum, i, N)
        einsum: Tile[f32, i, N] = tile.cast(reshape, f32)
        # a sum over two letters
        tile.store(y, einsum, i, tile.whole)
        x_tile: Tile[f16, i, K] = tile.load(x, i, tile.whole)
        iota: Tile[i32, i, K] = tile.iota(i32, i, K, axis=0)
        full: Tile[i32, 1] = tile.full(i32, i.start, 1)
        sub: Tile[i32, i, K] = tile.sub(iota, full)
        sub_1: Tile[i32, i, K] = tile.sub(sub, -1)
        full_1: Tile[i32, 1] = tile.full(i32, len(i), 1)
        mod: Tile[i32, i, K] = tile.mod(sub_1, full_1)
        roll: Tile[f16, i, K] = tile.gather(x_tile, mod, axis=0)
        x_tile_1: Tile[f16, 1, K] = tile.load(x, 0, tile.whole)
        reduce_sum_1: Tile[f16, i, 1] = tile.reduce_sum(roll, axis=1)
        reduce_sum_2: Tile[f16, 1, K] = tile.reduce_sum(x_tile_1, axis=0)
        reshape_1: Tile[f16, i, 1] = tile.reshape(reduce_sum_1, i, 1)
        transpose_1: Tile[f16, K, 1] = tile.transpose(reduce_sum_2)
        reshape_2: Tile[f16, 1, K] = tile.reshape(transpose_1, 1, K)
        mul: Tile[f16, i, K] = tile.mul(reshape_1, reshape_2)
        z: Tile[f16, K, i] = tile.transpose(mul, (1, 0))
        iota_1: Tile[i32, K, i] = tile.iota(i32, K, i, axis=0)
        sub_2: Tile[i32, K, i] = tile.sub(iota_1, 3)
        full_2: Tile[i32, 1] = tile.full(i32, K, 1)
        mod_1: Tile[i32, K, i] = tile.mod(sub_2, full_2)
        roll_1: Tile[f16, K, i] = tile.gather(z, mod_1, axis=0)
        add: Tile[f16, K, i] = tile.add(z, roll_1)
        tile.store(t, add, tile.whole, i)
        x_tile_2: Tile[f16, i, K] = tile.load(x, i, tile.whole)
        gt: Tile[bool_, i, K] = tile.gt(x_tile_2, 0.0)
        buffer: Tensor[bool_, i, K + 2] = tile.buffer(bool_, i, K + 2)
        full_3: Tile[bool_, 1, 1] = tile.full(bool_, False, 1, 1)
        tile.store(buffer, full_3, i, tile.whole)
        tile.store(buffer, gt, i, slice(0, K))
        pad: Tile[bool_, i, K + 2] = tile.load(buffer, i, tile.whole)
        tile.store(m, pad, i, tile.whole)
    x_tile_3: Tile[f16, M, K] = tile.load(x, tile.whole, tile.whole)
    x_tile_4: Tile[f16, M, K] = tile.load(x, tile.whole, tile.whole)
    reshape_3: Tile[f16, M, 1, K] = tile.reshape(x_tile_3, M, 1, K)
    reshape_4: Tile[f16, M, K, 1] = tile.reshape(x_tile_4, M, K, 1)
    matmul_1: Tile[f16, M, 1, 1] = tile.matmul(reshape_3, reshape_4)
    reduce_sum_3: Tile[f16, 1, 1, 1] = tile.reduce_sum(matmul_1, axis=0)
    reshape_5: Tile[f16, 1] = tile.reshape(reduce_sum_3, 1)
    einsum_1: Tile[f16, 1] = tile.cast(reshape_5, f16)
    tile.store(s, einsum_1, tile.whole)
