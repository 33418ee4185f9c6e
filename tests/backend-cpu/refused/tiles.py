import htp
htp.stage(number=3, after='cpu.select', holds=['Cpu.Selected', 'Tile.Typed'], then=['cpu.serialize_copies', 'cpu.rename_rebindings', 'cpu.widen_blocks', 'cpu.loops', 'cpu.drop_redundant_stores', 'cpu.pack_panels', 'cpu.unroll_and_jam', 'cpu.stream_rows'], entry='f', target='cpu')
from htp import In, Out, f32, i32
from htp_tile import Tensor, Tile, kernel
import htp_tile as tile
import htp_cpu as cpu

N = htp.dim("N")


#: rows stored
@kernel
def f(x: In[Tensor[f32, N, 8]], n: In[Tensor[i32, N, 8]], y: Out[Tensor[f32, N, 8]]) -> None:
    for i in tile.tiles(N, 8):
        t: Tile[f32, i, 8] = cpu.load(x, i, tile.whole)
        cpu.store(y, t, i, tile.whole)
#> compiles

#: an intrinsic of the tile language
@kernel
def f(x: In[Tensor[f32, N, 8]], n: In[Tensor[i32, N, 8]], y: Out[Tensor[f32, N, 8]]) -> None:
    for i in tile.tiles(N, 8):
        t: Tile[f32, i, 8] = tile.load(x, i, tile.whole)
#> 4:30 error cpu.not-selected: `Cpu.Selected` does not hold: `tile.load` is not in the target set
#>   note: this stage says `Cpu.Selected` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: call an intrinsic of `htp_cpu`, or begin from a stage before `cpu.select`

#: an element of a loop
@kernel
def f(x: In[Tensor[f32, N, 8]], n: In[Tensor[i32, N, 8]], y: Out[Tensor[f32, N, 8]]) -> None:
    for i in tile.tiles(N, 8):
        t: Tile[f32, i, 8] = cpu.load(x, i, tile.whole)
        v: f32 = cpu.get(x, 0, 0)
#> 5:18 error cpu.of-elements: `cpu.get` is for loops over elements, in a program over tiles
#>   note: this stage says `Tile.Typed` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: use `load`, `store`, `full` and `sort` of `htp_tile`

#: a result without a name
@kernel
def f(x: In[Tensor[f32, N, 8]], n: In[Tensor[i32, N, 8]], y: Out[Tensor[f32, N, 8]]) -> None:
    for i in tile.tiles(N, 8):
        t: Tile[f32, i, 8] = cpu.load(x, i, tile.whole)
        cpu.exp(t)
#> 5:9 error cpu.unnamed-result: the result of `cpu.exp` has no name
#>   hint: name it, with its type: `t: Tile[f32, i] = …`; or leave the statement out

#: tiles of one argument
@kernel
def f(x: In[Tensor[f32, N, 8]], n: In[Tensor[i32, N, 8]], y: Out[Tensor[f32, N, 8]]) -> None:
    for i in tile.tiles(N):
        pass
#> 3:14 error pipeline.arguments: `tile.tiles(N)` does not have the arguments of its definition: it has no argument `size`
#>   hint: give it the arguments that its definition names

#: a tile outside its block
@kernel
def f(x: In[Tensor[f32, N, 8]], n: In[Tensor[i32, N, 8]], y: Out[Tensor[f32, N, 8]]) -> None:
    for i in tile.tiles(N, 8):
        t: Tile[f32, i, 8] = cpu.load(x, i, tile.whole)
        cpu.store(y, t, i, tile.whole)
    u: Tile[f32, i, 8] = cpu.exp(t)
#> 6:5 error cpu.outside-block: a tile of the block `i` is used outside the block's loop
#>   hint: move the statement into the loop, or store the tile to a tensor and load that

#: iterations that share a name
@kernel
def f(x: In[Tensor[f32, N, 8]], n: In[Tensor[i32, N, 8]], y: Out[Tensor[f32, N, 8]]) -> None:
    t: Tile[f32, 1, 8] = cpu.zeros(f32, 1, 8)
    for p in htp.parallel(range(N)):
        v: Tile[f32, 1, 8] = cpu.load(x, p, tile.whole)
        t = cpu.add(t, v)
        cpu.store(y, t, p, tile.whole)
#> 6:21 error cpu.shared-name: iterations of this parallel loop share `t`
#>   hint: leave `parallel` out, or give each iteration a name or an element of its own

#: iterations that share nothing
@kernel
def f(x: In[Tensor[f32, N, 8]], n: In[Tensor[i32, N, 8]], y: Out[Tensor[f32, N, 8]]) -> None:
    for p in htp.parallel(range(N)):
        v: Tile[f32, 1, 8] = cpu.load(x, p, tile.whole)
        cpu.store(y, v, p, tile.whole)
#> compiles

#: iterations at once in the lanes of a vector
@kernel
def f(x: In[Tensor[f32, N, 8]], n: In[Tensor[i32, N, 8]], y: Out[Tensor[f32, N, 8]]) -> None:
    for p in htp.parallel(range(N), level='lane'):
        v: Tile[f32, 1, 8] = cpu.load(x, p, tile.whole)
        cpu.store(y, v, p, tile.whole)
#> 3:43 error cpu.level-kind: iterations on the level `lane` do not run at once: it is of the kind `vector`
#>   hint: leave `level` out, or write `level="core"`

#: iterations at once on cores
@kernel
def f(x: In[Tensor[f32, N, 8]], n: In[Tensor[i32, N, 8]], y: Out[Tensor[f32, N, 8]]) -> None:
    for p in htp.parallel(range(N), level='core'):
        v: Tile[f32, 1, 8] = cpu.load(x, p, tile.whole)
        cpu.store(y, v, p, tile.whole)
#> compiles

#: an index that does not fit
@kernel
def f(x: In[Tensor[f32, N, 8]], n: In[Tensor[i32, N, 8]], y: Out[Tensor[f32, N, 8]]) -> None:
    for i in tile.tiles(N, 8):
        t: Tile[f32, i, 8] = cpu.load(x, i * 4294967296 * 4294967296, tile.whole)
        cpu.store(y, t, i, tile.whole)
#> 4:42 error cpu.int-overflow: `i * 4294967296 * 4294967296` computes an int that does not fit in 64 bits
#>   hint: multiply it by less

#: an index that does
@kernel
def f(x: In[Tensor[f32, N, 8]], n: In[Tensor[i32, N, 8]], y: Out[Tensor[f32, N, 8]]) -> None:
    for i in tile.tiles(N, 8):
        t: Tile[f32, i, 8] = cpu.load(x, i * 4294967296 * 2, tile.whole)
        cpu.store(y, t, i, tile.whole)
#> compiles
