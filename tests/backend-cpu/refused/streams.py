import htp
htp.stage(number=7, after='cpu.stream_rows', holds=['Codegen.Ready(target=cpu)', 'Cpu.Elided', 'Cpu.Packed', 'Cpu.Jammed', 'Cpu.Streamed'], then=[], entry='f', target='cpu')
from htp import In, Out, f32
from htp_tile import Tensor, Tile, kernel
import htp_cpu as cpu

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def f(a: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:

#: sums of columns that go down one after the other
    for q in htp.vectorized(range(1024)):
        total: f32 = cpu.splat(f32, 0)
        for r in range(64):
            x: f32 = cpu.get(a, 0, r)
            y: f32 = cpu.get(b, r, q)
            total = cpu.fma(x, y, total)
        cpu.put(c, total, 0, q)
#> 1:5 error cpu.unstreamed: the sums of columns `q` go down a column at a time, through rows that are long
#>   note: this stage says `Cpu.Streamed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: take `Cpu.Streamed` out of what the header says holds: the pass runs again; or begin from the stage before

#: few rows
    for q in htp.vectorized(range(1024)):
        total: f32 = cpu.splat(f32, 0)
        for r in range(15):
            x: f32 = cpu.get(a, 0, r)
            y: f32 = cpu.get(b, r, q)
            total = cpu.fma(x, y, total)
        cpu.put(c, total, 0, q)
#> compiles

#: a sum that begins with what another column wrote
    for q in htp.vectorized(range(1024)):
        total: f32 = cpu.get(c, 0, q + 1)
        for r in range(64):
            x: f32 = cpu.get(a, 0, r)
            y: f32 = cpu.get(b, r, q)
            total = cpu.fma(x, y, total)
        cpu.put(c, total, 0, q)
#> compiles
