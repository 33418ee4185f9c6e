"""A kernel under test."""

import htp
from htp import In, InOut, Out, bool_, f16, f32, f64, i32, u8
from htp_tile import Tensor, Tile, kernel
import htp_cpu as cpu

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")
STEP = 2


@kernel
def k(x: In[Tensor[f32, M, N]], rows: In[Tensor[i32, K]], sum: InOut[Tensor[f32, M, N]], y: Out[Tensor[f32, K, N]], t: Out[Tensor[f32, M, 4]]) -> None:
    for i_at in range(0, K, 8):
        i_n = min(8, K - i_at)
        for p_1 in range(i_n):
            chosen: i32 = cpu.get(rows, i_at + p_1)
            chosen_int = cpu.position(chosen)
            for q in htp.vectorized(range(N)):
                x_tile_2: f32 = cpu.get(x, chosen_int, q)
                sum_at: f32 = cpu.get(sum, chosen_int, q)
                sum_at = cpu.add(sum_at, x_tile_2)
                cpu.put(sum, sum_at, chosen_int, q)
                x_tile: f32 = cpu.get(x, chosen_int, q)
                x_tile_1: f32 = cpu.get(x, i_at * STEP - 1 + p_1 * 2, q, outside=0.0)
                add: f32 = cpu.add(x_tile, x_tile_1)
                cpu.put(y, add, i_at + p_1, q)
    for i_1_at in range(0, M, 4):
        i_1_n = min(4, M - i_1_at)
        row: Tile[f32, N] = cpu.alloc(f32, N)
        argtopk_keys: Tile[f32, N] = cpu.alloc(f32, N)
        argtopk_order: Tile[htp.i32, 4] = cpu.alloc(htp.i32, 4)
        argtopk: Tile[i32, 4] = cpu.alloc(i32, 4)
        gather: Tile[f32, 4] = cpu.alloc(f32, 4)
        for p_1 in range(i_1_n):
            for q in htp.vectorized(range(N)):
                x_tile_3: f32 = cpu.get(x, i_1_at + p_1, q)
                row_at: f32 = cpu.mul(x_tile_3, 2.0)
                cpu.put(row, row_at, q)
                cpu.put(argtopk_keys, row_at, q)
            cpu.order(argtopk_order, argtopk_keys, N, 4, descending=True)
            for q in htp.vectorized(range(4)):
                argtopk_at: i32 = cpu.get(argtopk_order, q)
                cpu.put(argtopk, argtopk_at, q)
            for q in range(4):
                argtopk_at = cpu.get(argtopk, q)
                argtopk_int = cpu.position(argtopk_at, N)
                gather_at: f32 = cpu.get(row, argtopk_int)
                cpu.put(gather, gather_at, q)
            for q in htp.vectorized(range(4)):
                gather_at = cpu.get(gather, q)
                cpu.put(t, gather_at, i_1_at + p_1, q)
    rows_tile: i32 = cpu.get(rows, 0)
    index = cpu.position(rows_tile)
    for p in range(index):
        for p_1 in htp.vectorized(range(N)):
            x_tile_4: f32 = cpu.get(x, p, p_1)
            cpu.put(sum, x_tile_4, p, p_1)
