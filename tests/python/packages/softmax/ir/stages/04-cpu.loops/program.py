"""Softmax of each row of a matrix."""

import htp

htp.stage(after="cpu.loops", holds=["Codegen.Ready(target=cpu)", "Tile.Kernel"], then=[], entry="softmax", target="cpu")
from htp import In, Out, f32
import htp_cpu as cpu
from htp_tile import Tensor, Tile, kernel

M = htp.dim("M")
N = htp.dim("N")


@kernel
def softmax(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i_at in range(0, M, 8):
        i_n = min(8, M - i_at)
        reduce_max: Tile[f32, 8, 1] = cpu.alloc(f32, 8, 1)
        for p in range(i_n):
            top: f32 = cpu.splat(f32, -htp.inf)
            for q in htp.vectorized(range(N)):
                row: f32 = cpu.get(x, i_at + p, q)
                top = cpu.maximum(top, row)
            cpu.put(reduce_max, top, p, 0)
        e: Tile[f32, 8, N] = cpu.alloc(f32, 8, N)
        reduce_sum: Tile[f32, 8, 1] = cpu.alloc(f32, 8, 1)
        for p in range(i_n):
            total: f32 = cpu.splat(f32, 0.0)
            for q in htp.vectorized(range(N)):
                row_1: f32 = cpu.get(x, i_at + p, q)
                top_1: f32 = cpu.get(reduce_max, p, 0)
                e_1: f32 = cpu.exp(cpu.sub(row_1, top_1))
                cpu.put(e, e_1, p, q)
                total = cpu.add(total, e_1)
            cpu.put(reduce_sum, total, p, 0)
        for p in range(i_n):
            for q in htp.vectorized(range(N)):
                div: f32 = cpu.div(cpu.get(e, p, q), cpu.get(reduce_sum, p, 0))
                cpu.put(y, div, i_at + p, q)
