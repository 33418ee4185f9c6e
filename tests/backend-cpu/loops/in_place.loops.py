"""A kernel under test."""

import htp
from htp import In, InOut, Out, bool_, f16, f32, f64, i32, u8
from htp_tile import Tensor, Tile, kernel
import htp_cpu as cpu

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def k(x: InOut[Tensor[i32, M, M]], y: InOut[Tensor[i32, M, M]]) -> None:
    t: Tile[i32, M, M] = cpu.alloc(i32, M, M)
    add: Tile[i32, M] = cpu.alloc(i32, M)
    for p in range(M):
        for q in htp.vectorized(range(M)):
            t_at: i32 = cpu.get(x, p, q)
            cpu.put(t, t_at, p, q)
    for p in range(M):
        for q in range(M):
            transpose: i32 = cpu.get(t, q, p)
            add_at: i32 = cpu.add(transpose, 1)
            cpu.put(add, add_at, q)
        for q in htp.vectorized(range(M)):
            add_at = cpu.get(add, q)
            cpu.put(x, add_at, p, q)
    for n in range(3):
        mul: Tile[i32, M] = cpu.alloc(i32, M)
        for p in range(M):
            u: i32 = cpu.get(y, p, n)
            mul_at: i32 = cpu.mul(u, 2)
            cpu.put(mul, mul_at, p)
        for p in htp.vectorized(range(M)):
            mul_at = cpu.get(mul, p)
            cpu.put(y, mul_at, n, p)
    x_tile: Tile[i32, M, M] = cpu.alloc(i32, M, M)
    x_tile_1: Tile[i32, M, M] = cpu.alloc(i32, M, M)
    add_1: Tile[i32, M] = cpu.alloc(i32, M)
    for p in range(M):
        for q in htp.vectorized(range(M)):
            x_tile_1_at: i32 = cpu.get(x, p, q)
            cpu.put(x_tile_1, x_tile_1_at, p, q)
            x_tile_at: i32 = cpu.get(x, p, q)
            cpu.put(x_tile, x_tile_at, p, q)
    for p in range(M):
        for q in range(M):
            x_tile_at = cpu.get(x_tile, p, q)
            transpose_2: i32 = cpu.get(x_tile_1, q, p)
            add_1_at: i32 = cpu.add(x_tile_at, transpose_2)
            cpu.put(add_1, add_1_at, q)
        for q in htp.vectorized(range(M)):
            add_1_at = cpu.get(add_1, q)
            cpu.put(y, add_1_at, p, q)
