import htp
htp.stage(number=5, after='cpu.rename_rebindings', holds=['Cpu.Selected', 'Cpu.Serial', 'Cpu.Renamed', 'Tile.Typed'], then=['cpu.widen_blocks', 'cpu.loops', 'cpu.drop_redundant_stores', 'cpu.pack_panels', 'cpu.unroll_and_jam', 'cpu.stream_rows'], entry='f', target='cpu')
from htp import In, Out, Token, f32
from htp_tile import Tensor, Tile, kernel
import htp_tile as tile
import htp_cpu as cpu

N = htp.dim("N")


@kernel
def f(x: In[Tensor[f32, N, 8]], y: Out[Tensor[f32, N, 8]]) -> None:

#: a copy that begins
    h: Tensor[f32, 1, 8] = cpu.buffer(f32, 1, 8)
    for p in range(N):
        t: Tile[f32, 1, 8] = cpu.load(x, p, tile.whole)
        coming: Token = cpu.copy_async(h, t, 0, tile.whole)
#> 4:25 error cpu.copy-beside: `cpu.copy_async(h, t, 0, tile.whole)` is about a copy that runs beside what follows
#>   note: this stage says `Cpu.Serial` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: store at once: `cpu.store(rows, t, p, tile.whole)`

#: a copy that is waited for
    h: Tensor[f32, 1, 8] = cpu.buffer(f32, 1, 8)
    for p in range(N):
        t: Tile[f32, 1, 8] = cpu.load(x, p, tile.whole)
        cpu.store(h, t, 0, tile.whole)
        cpu.barrier()
#> 5:9 error cpu.copy-beside: `cpu.barrier()` is about a copy that runs beside what follows
#>   note: this stage says `Cpu.Serial` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: store at once: `cpu.store(rows, t, p, tile.whole)`

#: a store
    h: Tensor[f32, 1, 8] = cpu.buffer(f32, 1, 8)
    for p in range(N):
        t: Tile[f32, 1, 8] = cpu.load(x, p, tile.whole)
        cpu.store(h, t, 0, tile.whole)
#> compiles

#: a name for two values
    for p in range(N):
        t: Tile[f32, 1, 8] = cpu.load(x, p, tile.whole)
        t = cpu.exp(t)
        cpu.store(y, t, p, tile.whole)
#> 3:9 error cpu.rebound: `t` stands for several values
#>   note: this stage says `Cpu.Renamed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give each value a name of its own

#: a name for each value
    for p in range(N):
        t: Tile[f32, 1, 8] = cpu.load(x, p, tile.whole)
        u: Tile[f32, 1, 8] = cpu.exp(t)
        cpu.store(y, u, p, tile.whole)
#> compiles

#: iterations at once that share a name
    t: Tile[f32, 1, 8] = cpu.zeros(f32, 1, 8)
    for p in htp.parallel(range(N)):
        v: Tile[f32, 1, 8] = cpu.load(x, p, tile.whole)
        t = cpu.add(t, v)
        cpu.store(y, t, p, tile.whole)
#> 4:21 error cpu.shared-name: iterations of this parallel loop share `t`
#>   note: this stage says `Cpu.Renamed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: leave `parallel` out, or give each iteration a name or an element of its own
