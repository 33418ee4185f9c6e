import htp
from htp import In, InOut, Out, bf16, bool_, f16, f32, f64, i8, i16, i32, i64, u8, u16, u32
from htp_wsp import P, Schedule, schedule, seq, workload
from htp_tile import Tensor, Tile, argmax, argtopk, buffer, cast, exp, full, gather, index, iota, kernel, load, matmul, maximum, reduce_max, reduce_sum, reshape, scan_sum, tiles, topk, transpose, where, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@workload
def gemm(a: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(a[i, k], b[k, j], acc)
            c[i, j] = acc


#: a cache in a core's memory
@schedule(gemm)
def plan(s: Schedule) -> None:
    s.tile("i", 16)
    s.tile("j", 64)
    s.tile("k", 32)
    s.cache("a", at="k", space="ub")
#> -4:13 error a2a3.buffer-space: `a_local` is in htp.space('ub'), and buffers are in global memory
#>   hint: leave `space` out: tiles go through the memories of a core by themselves

#: a cache
@schedule(gemm)
def plan(s: Schedule) -> None:
    s.tile("i", 16)
    s.tile("j", 64)
    s.tile("k", 32)
    s.cache("a", at="k")
#> compiles

#: a prefetch to L1
@schedule(gemm)
def plan(s: Schedule) -> None:
    s.tile("i", 16)
    s.tile("j", 64)
    s.tile("k", 32)
    s.prefetch("b", at="k", space="l1")
#> -4:13 error a2a3.buffer-space: `b_local` is in htp.space('l1'), and buffers are in global memory
#>   hint: leave `space` out: tiles go through the memories of a core by themselves

#: lanes
@schedule(gemm)
def plan(s: Schedule) -> None:
    s.tile("i", 16)
    s.tile("j", 64)
    s.tile("k", 32)
    s.vectorize("j")
#> -6:18 error a2a3.vectorized: the loop over `j` is vectorized
#>   hint: leave `vectorize` out

#: no lanes
@schedule(gemm)
def plan(s: Schedule) -> None:
    s.tile("i", 16)
    s.tile("j", 64)
    s.tile("k", 32)
#> compiles

#: repeated
@schedule(gemm)
def plan(s: Schedule) -> None:
    s.tile("i", 16)
    s.tile("j", 64)
    s.tile("k", 32)
    s.unroll("k", factor=4)
#> -4:22 error a2a3.unrolled: the loop over `k` is unrolled
#>   hint: leave `unroll` out

#: not repeated
@schedule(gemm)
def plan(s: Schedule) -> None:
    s.tile("i", 16)
    s.tile("j", 64)
    s.tile("k", 32)
#> compiles

#: three buffers
@schedule(gemm)
def plan(s: Schedule) -> None:
    s.tile("i", 16)
    s.tile("j", 64)
    s.tile("k", 32)
    s.pipeline("k", depth=3)
#> -4:22 error a2a3.pipeline-depth: depth 3 requested, 2 available
#>   hint: choose `depth=2`

#: two buffers
@schedule(gemm)
def plan(s: Schedule) -> None:
    s.tile("i", 16)
    s.tile("j", 64)
    s.tile("k", 32)
    s.pipeline("k", depth=2)
#> compiles

#: a pipeline around loops
@schedule(gemm)
def plan(s: Schedule) -> None:
    s.tile("i", 16)
    s.tile("j", 64)
    s.tile("k", 32)
    s.pipeline("i", depth=2)
#> -7:14 error a2a3.pipelined-loop: iterations of `i` do not overlap
#>   hint: pipeline the innermost loop

#: a pipeline of the innermost loop

@schedule(gemm)
def plan(s: Schedule) -> None:
    s.tile("i", 16)
    s.tile("j", 64)
    s.tile("k", 64)
    s.pipeline("k", depth=2)
#> compiles
