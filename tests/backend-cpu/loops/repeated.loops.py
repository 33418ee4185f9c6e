"""A kernel under test."""

import htp
from htp import In, Out, f32, i32, bool_
from htp_tile import Tensor, Tile, kernel
import htp_cpu as cpu

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], t: In[Tensor[i32, N]], y: Out[Tensor[f32, M, N]], z: Out[Tensor[i32, N]]) -> None:
    for i_at in range(0, M, 4):
        i_n = min(4, M - i_at)
        e: Tile[f32, 4, N] = cpu.alloc(f32, 4, N)
        for p_1 in range(i_n):
            for q_1 in htp.vectorized(range(N)):
                e_at: f32 = cpu.get(x, i_at + p_1, q_1)
                cpu.put(e, e_at, p_1, q_1)
        n = 0
        while n < 8:
            reduce_any: bool_ = cpu.splat(bool_, False)
            for p_1 in range(i_n):
                reduce_max: f32 = cpu.splat(f32, -1e309)
                for q_1 in htp.vectorized(range(N)):
                    e_at = cpu.get(e, p_1, q_1)
                    reduce_max = cpu.maximum(reduce_max, e_at)
                gt: bool_ = cpu.gt(reduce_max, 0.25)
                reduce_any = cpu.bit_or(reduce_any, gt)
            holds = cpu.holds(reduce_any)
            if not holds:
                break
            mean: Tile[f32, 4, 1] = cpu.alloc(f32, 4, 1)
            for p_1 in range(i_n):
                mean_at: f32 = cpu.splat(f32, 0)
                for q_1 in htp.vectorized(range(N)):
                    e_at = cpu.get(e, p_1, q_1)
                    e_at = cpu.mul(e_at, 0.5)
                    cpu.put(e, e_at, p_1, q_1)
                    mean_at = cpu.add(mean_at, e_at)
                cpu.put(mean, mean_at, p_1, 0)
            for m in range(2):
                part: Tile[f32, N] = cpu.alloc(f32, N)
                for p_1 in range(i_n):
                    mean_at = cpu.get(mean, p_1, 0)
                    for q_1 in htp.vectorized(range(N)):
                        e_at = cpu.get(e, p_1, q_1)
                        part_at: f32 = cpu.sub(e_at, mean_at)
                        cpu.put(part, part_at, q_1)
                    mean_at = cpu.splat(f32, 0)
                    for q_1 in htp.vectorized(range(N)):
                        part_at = cpu.get(part, q_1)
                        mean_at = cpu.add(mean_at, part_at)
                    cpu.put(mean, mean_at, p_1, 0)
            n = n + 1
            rest: Tile[f32, 4, N] = cpu.alloc(f32, 4, N)
            reduce_any_1: bool_ = cpu.splat(bool_, False)
            for p_1 in range(i_n):
                mean_at = cpu.get(mean, p_1, 0)
                lt: bool_ = cpu.lt(mean_at, 0.125)
                reduce_any_1 = cpu.bit_or(reduce_any_1, lt)
                for q_1 in htp.vectorized(range(N)):
                    e_at = cpu.get(e, p_1, q_1)
                    mul: f32 = cpu.mul(e_at, 2.0)
                    rest_at: f32 = cpu.add(mul, mean_at)
                    cpu.put(rest, rest_at, p_1, q_1)
            holds_1 = cpu.holds(reduce_any_1)
            if holds_1:
                break
            for p_1 in range(i_n):
                for q_1 in htp.vectorized(range(N)):
                    rest_at = cpu.get(rest, p_1, q_1)
                    e_at = cpu.cast(rest_at, f32)
                    cpu.put(e, e_at, p_1, q_1)
        for p_1 in range(i_n):
            for q_1 in htp.vectorized(range(N)):
                e_at = cpu.get(e, p_1, q_1)
                cpu.put(y, e_at, i_at + p_1, q_1)
    for p in range(N):
        q = p
        steps = 0
        while q != 0 and steps < N:
            t_tile: i32 = cpu.get(t, q)
            q = cpu.position(t_tile)
            steps = steps + 1
        full: i32 = steps
        cpu.put(z, full, p)
