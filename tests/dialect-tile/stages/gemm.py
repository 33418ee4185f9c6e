import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, matmul, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def k(a: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    for i_0 in htp.parallel(tiles(M, 64), level="core"):
        for i in tiles(i_0, 16):
            for j in tiles(N, 32):
                acc = zeros(f32, i, j)
                for k in tiles(K, 64):
                    acc = matmul(a[i, k], b[k, j], acc)
                c[i, j] = acc
# ── canonical ──
import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def k(a: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    for i_0 in htp.parallel(tile.tiles(M, 64), level="core"):
        for i in tile.tiles(i_0, 16):
            for j in tile.tiles(N, 32):
                acc = tile.zeros(f32, i, j)
                for k in tile.tiles(K, 64):
                    a_tile = tile.load(a, i, k)
                    b_tile = tile.load(b, k, j)
                    acc = tile.matmul(a_tile, b_tile, acc)
                tile.store(c, acc, i, j)
# ── typed ──
import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, Tile
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def k(a: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    for i_0 in htp.parallel(tile.tiles(M, 64), level="core"):
        for i in tile.tiles(i_0, 16):
            for j in tile.tiles(N, 32):
                acc: Tile[f32, i, j] = tile.zeros(f32, i, j)
                for k in tile.tiles(K, 64):
                    a_tile: Tile[f32, i, k] = tile.load(a, i, k)
                    b_tile: Tile[f32, k, j] = tile.load(b, k, j)
                    acc = tile.matmul(a_tile, b_tile, acc)
                tile.store(c, acc, i, j)
