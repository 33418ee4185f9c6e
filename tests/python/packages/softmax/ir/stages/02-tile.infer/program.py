"""Softmax of each row of a matrix."""

import htp

htp.stage(after="tile.infer", holds=["Tile.Canonical", "Tile.Kernel", "Tile.Typed"], then=["cpu.select", "cpu.loops"], entry="softmax", target="cpu")
from htp import In, Out, f32
import htp_tile as tile
from htp_tile import Tensor, Tile, kernel

M = htp.dim("M")
N = htp.dim("N")


@kernel
def softmax(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tile.tiles(M, 8):
        row: Tile[f32, i, N] = tile.load(x, i, tile.whole)
        reduce_max: Tile[f32, i, 1] = tile.reduce_max(row, axis=1)
        sub: Tile[f32, i, N] = tile.sub(row, reduce_max)
        e: Tile[f32, i, N] = tile.exp(sub)
        reduce_sum: Tile[f32, i, 1] = tile.reduce_sum(e, axis=1)
        div: Tile[f32, i, N] = tile.div(e, reduce_sum)
        tile.store(y, div, i, tile.whole)
