import htp
htp.stage(number=6, after='cpu.drop_redundant_stores', holds=['Codegen.Ready(target=cpu)', 'Cpu.Elided'], then=['cpu.pack_panels', 'cpu.unroll_and_jam', 'cpu.stream_rows'], entry='f', target='cpu')
from htp import In, Out, f32
from htp_tile import Tensor, Tile, kernel
import htp_cpu as cpu

N = htp.dim("N")


@kernel
def f(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:

#: an element that is stored twice
    for p in range(N):
        v: f32 = cpu.get(x, p)
        cpu.put(y, v, p)
        w: f32 = cpu.exp(v)
        cpu.put(y, w, p)
#> 3:9 error cpu.overwritten: what `cpu.put(y, v, p)` stores is overwritten before it is read
#>   note: this stage says `Cpu.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: leave it out, or begin from the stage before

#: an element that is stored once
    for p in range(N):
        v: f32 = cpu.get(x, p)
        w: f32 = cpu.exp(v)
        cpu.put(y, w, p)
#> compiles

#: an element that is read between
    for p in range(N):
        v: f32 = cpu.get(x, p)
        cpu.put(y, v, p)
        w: f32 = cpu.get(y, p)
        cpu.put(y, w, p)
#> compiles

#: another element: its index is bound between
    n = 0
    cpu.put(y, 1.0, n)
    n = 1
    cpu.put(y, 1.0, n)
#> compiles

#: an element whose second store may not happen
    n = 0
    while n < N:
        cpu.put(y, 1.0, n)
        if n > 3:
            break
        cpu.put(y, 2.0, n)
        n = n + 1
#> compiles

#: an element that a branch stores again
    for p in range(N):
        cpu.put(y, 1.0, p)
        if p > 3:
            cpu.put(y, 2.0, p)
#> compiles
