"""A kernel under test."""

import htp
from htp import In, InOut, Out, bool_, f16, f32, f64, i32, u8
from htp_tile import Tensor, Tile, kernel
import htp_cpu as cpu

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def k(x: In[Tensor[f32, M, N]], h: In[Tensor[f16, M, 12]], s: Out[Tensor[f32, M, N]], t: Out[Tensor[f16, M, 3, 4]], n: Out[Tensor[i32, M, 1]], m: Out[Tensor[bool_, M, 1]]) -> None:
    for i_at in range(0, M, 4):
        i_n = min(4, M - i_at)
        scan_max: Tile[f32, N] = cpu.alloc(f32, N)
        scan_sum: Tile[f16, 12] = cpu.alloc(f16, 12)
        mul_1: Tile[f32, N] = cpu.alloc(f32, N)
        for p in range(i_n):
            scan_max_far: f32 = cpu.splat(f32, -1e309)
            for q in range(N):
                x_tile: f32 = cpu.get(x, i_at + p, q)
                scan_max_far = cpu.maximum(scan_max_far, x_tile)
                scan_max_at: f32 = scan_max_far
                cpu.put(scan_max, scan_max_at, q)
            reduce_prod: f32 = cpu.splat(f32, 1)
            for q in htp.vectorized(range(N)):
                x_tile_2: f32 = cpu.get(x, i_at + p, q)
                reduce_prod = cpu.mul(reduce_prod, x_tile_2)
                scan_max_at = cpu.get(scan_max, q)
                mul: f32 = cpu.mul(scan_max_at, 2.0)
                cpu.put(s, mul, i_at + p, q)
            scan_sum_far: htp.f32 = cpu.splat(htp.f32, 0)
            for q in range(12):
                h_tile: f16 = cpu.get(h, i_at + p, q)
                h_tile_wide: htp.f32 = cpu.cast(h_tile, htp.f32)
                scan_sum_far = cpu.add(scan_sum_far, h_tile_wide)
                scan_sum_at: f16 = cpu.cast(scan_sum_far, f16)
                cpu.put(scan_sum, scan_sum_at, q)
            for q in range(3):
                for r in htp.vectorized(range(4)):
                    reshape: f16 = cpu.get(scan_sum, q * 4 + r)
                    cpu.put(t, reshape, i_at + p, q, r)
            reduce_any: bool_ = cpu.splat(bool_, False)
            for q in htp.vectorized(range(N)):
                x_tile_3: f32 = cpu.get(x, i_at + p, q)
                lt: bool_ = cpu.lt(x_tile_3, 0.0)
                reduce_any = cpu.bit_or(reduce_any, lt)
                mul_1_at: f32 = cpu.mul(x_tile_3, reduce_prod)
                cpu.put(mul_1, mul_1_at, q)
            cpu.put(m, reduce_any, i_at + p, 0)
            argmax: i32 = cpu.splat(i32, 0)
            argmax_best: f32 = cpu.splat(f32, -1e309)
            for q in range(N):
                mul_1_at = cpu.get(mul_1, q)
                argmax_better: htp.bool_ = cpu.above(mul_1_at, argmax_best)
                argmax_here: i32 = cpu.index(i32, q)
                argmax_best = cpu.where(argmax_better, mul_1_at, argmax_best)
                argmax = cpu.where(argmax_better, argmax_here, argmax)
            cpu.put(n, argmax, i_at + p, 0)
