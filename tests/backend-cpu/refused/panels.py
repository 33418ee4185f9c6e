import htp
htp.stage(number=6, after='cpu.pack_panels', holds=['Codegen.Ready(target=cpu)', 'Cpu.Elided', 'Cpu.Packed'], then=['cpu.unroll_and_jam', 'cpu.stream_rows'], entry='f', target='cpu')
from htp import In, Out, f32
from htp_tile import Tensor, Tile, kernel
import htp_cpu as cpu

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def f(a: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]], w: In[Tensor[f32, K, 4096]], d: Out[Tensor[f32, M, 4096]]) -> None:

#: rows that load what lies far apart
    for p in range(M):
        for q in htp.vectorized(range(4096)):
            total: f32 = cpu.splat(f32, 0)
            for r in range(K):
                x: f32 = cpu.get(a, p, r)
                y: f32 = cpu.get(w, r, q)
                total = cpu.fma(x, y, total)
            cpu.put(d, total, p, q)
#> 1:5 error cpu.unpacked: iterations over `p` load in common what lies far apart
#>   note: this stage says `Cpu.Packed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: take `Cpu.Packed` out of what the header says holds: the pass runs again; or begin from the stage before

#: rows that are longer only for some calls
    for p in range(M):
        for q in htp.vectorized(range(N)):
            total: f32 = cpu.splat(f32, 0)
            for r in range(K):
                x: f32 = cpu.get(a, p, r)
                y: f32 = cpu.get(b, r, q)
                total = cpu.fma(x, y, total)
            cpu.put(c, total, p, q)
#> 1:5 error cpu.unpacked: iterations over `p` load in common what lies far apart
#>   note: this stage says `Cpu.Packed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: take `Cpu.Packed` out of what the header says holds: the pass runs again; or begin from the stage before

#: a few rows, which load it once anyway
    for p in range(8):
        for q in htp.vectorized(range(4096)):
            total: f32 = cpu.splat(f32, 0)
            for r in range(K):
                x: f32 = cpu.get(a, p, r)
                y: f32 = cpu.get(w, r, q)
                total = cpu.fma(x, y, total)
            cpu.put(d, total, p, q)
#> compiles
