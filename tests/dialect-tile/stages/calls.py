import htp
from htp import In, Out, f16, f32
from htp_tile import Tensor, Tile, cast, kernel, matmul, tiles, transpose, zeros, where, store, load, whole

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def k(a: In[Tensor[f16, M, K]], b: In[Tensor[f16, N, K]], c: Out[Tensor[f16, M, N]]) -> None:
    for i in tiles(M, 8):
        for j in tiles(N, 16):
            acc: Tile[f32, i, j] = zeros(f32, i, j)
            for k in tiles(K, 32):
                left: Tile[f16, i, k] = a[i, k]
                acc = matmul(cast(left, f32), transpose(cast(load(b, j, k), f32)), acc=acc)
            copy = acc
            store(c, cast(copy, f16), i, j)
# ── canonical ──
import htp
from htp import In, Out, f16, f32
from htp_tile import Tensor, Tile, kernel
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def k(a: In[Tensor[f16, M, K]], b: In[Tensor[f16, N, K]], c: Out[Tensor[f16, M, N]]) -> None:
    for i in tile.tiles(M, 8):
        for j in tile.tiles(N, 16):
            acc: Tile[f32, i, j] = tile.zeros(f32, i, j)
            for k in tile.tiles(K, 32):
                left: Tile[f16, i, k] = tile.load(a, i, k)
                cast = tile.cast(left, f32)
                b_tile = tile.load(b, j, k)
                cast_1 = tile.cast(b_tile, f32)
                transpose = tile.transpose(cast_1)
                acc = tile.matmul(cast, transpose, acc)
            copy = acc
            cast_2 = tile.cast(copy, f16)
            tile.store(c, cast_2, i, j)
# ── typed ──
import htp
from htp import In, Out, f16, f32
from htp_tile import Tensor, Tile, kernel
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def k(a: In[Tensor[f16, M, K]], b: In[Tensor[f16, N, K]], c: Out[Tensor[f16, M, N]]) -> None:
    for i in tile.tiles(M, 8):
        for j in tile.tiles(N, 16):
            acc: Tile[f32, i, j] = tile.zeros(f32, i, j)
            for k in tile.tiles(K, 32):
                left: Tile[f16, i, k] = tile.load(a, i, k)
                cast: Tile[f32, i, k] = tile.cast(left, f32)
                b_tile: Tile[f16, j, k] = tile.load(b, j, k)
                cast_1: Tile[f32, j, k] = tile.cast(b_tile, f32)
                transpose: Tile[f32, k, j] = tile.transpose(cast_1)
                acc = tile.matmul(cast, transpose, acc)
            copy: Tile[f32, i, j] = tile.cast(acc, f32)
            cast_2: Tile[f16, i, j] = tile.cast(copy, f16)
            tile.store(c, cast_2, i, j)
