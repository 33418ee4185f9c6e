"""Softmax of each row of a matrix."""

import htp

htp.stage(after="tile.canonicalize", holds=["Tile.Canonical", "Tile.Kernel"], then=["tile.infer", "cpu.select", "cpu.loops"], entry="softmax", target="cpu")
from htp import In, Out, f32
import htp_tile as tile
from htp_tile import Tensor, kernel

M = htp.dim("M")
N = htp.dim("N")


@kernel
def softmax(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tile.tiles(M, 8):
        row = tile.load(x, i, tile.whole)
        reduce_max = tile.reduce_max(row, axis=1)
        sub = tile.sub(row, reduce_max)
        e = tile.exp(sub)
        reduce_sum = tile.reduce_sum(e, axis=1)
        div = tile.div(e, reduce_sum)
        tile.store(y, div, i, tile.whole)
