import htp
htp.stage(number=6, after='cpu.unroll_and_jam', holds=['Codegen.Ready(target=cpu)', 'Cpu.Elided', 'Cpu.Packed', 'Cpu.Jammed'], then=['cpu.stream_rows'], entry='f', target='cpu')
from htp import In, Out, f32
from htp_tile import Tensor, Tile, kernel
import htp_cpu as cpu

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def f(a: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:

#: rows that load the same elements, one after the other
    for p in range(8):
        for q in htp.vectorized(range(N)):
            total: f32 = cpu.splat(f32, 0)
            for r in range(K):
                x: f32 = cpu.get(a, p, r)
                y: f32 = cpu.get(b, r, q)
                total = cpu.fma(x, y, total)
            cpu.put(c, total, p, q)
#> 1:5 error cpu.unjammed: iterations over `p` load the same elements, one after the other
#>   note: this stage says `Cpu.Jammed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: take `Cpu.Jammed` out of what the header says holds: the pass runs again; or begin from the stage before

#: rows of which each takes what the one before it made
    for p in range(M - 1):
        for q in htp.vectorized(range(N)):
            total: f32 = cpu.splat(f32, 0)
            for r in range(K):
                x: f32 = cpu.get(c, p, q)
                y: f32 = cpu.get(b, r, q)
                total = cpu.fma(x, y, total)
            cpu.put(c, total, p + 1, q)
#> compiles

#: rows that share nothing
    for p in range(M):
        for q in htp.vectorized(range(N)):
            total: f32 = cpu.splat(f32, 0)
            for r in range(K):
                x: f32 = cpu.get(a, p, r)
                total = cpu.add(x, total)
            cpu.put(c, total, p, q)
#> compiles
