import htp
htp.stage(number=4, after='cpu.loops', holds=['Codegen.Ready(target=cpu)'], then=['cpu.drop_redundant_stores', 'cpu.pack_panels', 'cpu.unroll_and_jam', 'cpu.stream_rows'], entry='f', target='cpu')
from htp import In, Out, f32
from htp.layouts import levels
from htp_tile import Tensor, Tile, kernel, tiles
import htp_cpu as cpu

A = 8
M = htp.dim("M")
S = htp.dim("S")
X = 2


#: a layout of constants
@kernel
def f(x: In[Tensor[f32, A, A, htp.layouts.shard((A, A), ("x", None), mesh={"x": X})]], y: Out[Tensor[f32, A, A]]) -> None:
    pass
#> compiles

#: columns
@kernel
def f(x: In[Tensor[f32, A, A, htp.layouts.ordered((A, A), (1, 0))]], y: Out[Tensor[f32, A, A]]) -> None:
    pass
#> compiles

#: blocks
@kernel
def f(x: In[Tensor[f32, A, A, htp.layouts.packed((A, A), (4, 4), (0, 1), (0, 1))]], y: Out[Tensor[f32, A, A]]) -> None:
    pass
#> compiles

#: a vector in no steps, which is not told from one in rows
@kernel
def f(x: In[Tensor[f32, A, htp.layouts.swizzle(htp.layouts.ordered((A,), (0,)), 1, 0, 1)]], y: Out[Tensor[f32, A]]) -> None:
    pass
#> 2:28 error cpu.parameter-layout: `x` lies as `htp.layouts.swizzle(htp.layouts.ordered((A,), (0,)), 1, 0, 1)`, which has no steps along its dimensions: dimension 0 has no one stride: it is cut into blocks
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give it a layout of strides, `htp.layouts.strided((8, 64), (72, 1))`, or none

#: an array that begins behind its first element
@kernel
def f(x: In[Tensor[f32, A, A, htp.layouts.strided((A, A), (A, 1), offset=4)]], y: Out[Tensor[f32, A, A]]) -> None:
    pass
#> 2:31 error cpu.parameter-layout: `x` lies as `htp.layouts.strided((A, A), (A, 1), offset=4)`, which has no steps along its dimensions: it begins at element 4, and an array begins at its first
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give it a layout of strides, `htp.layouts.strided((8, 64), (72, 1))`, or none

#: steps that a call says
@kernel
def f(x: In[Tensor[f32, M, A, htp.layouts.strided((M, A), (S, 1))]], y: Out[Tensor[f32, M, A]]) -> None:
    pass
#> compiles

#: a step that is no dim
@kernel
def f(x: In[Tensor[f32, M, A, htp.layouts.strided((M, A), (q, 1))]], y: Out[Tensor[f32, M, A]]) -> None:
    pass
#> 2:60 error pipeline.undefined-name: `q` is not defined
#>   hint: bind it above this line, or import it

#: steps along other dimensions
@kernel
def f(x: In[Tensor[f32, M, A, htp.layouts.strided((M, A, 1), (S, 1, 1))]], y: Out[Tensor[f32, M, A]]) -> None:
    pass
#> 2:31 error cpu.parameter-layout: `x` lies as `htp.layouts.strided((M, A, 1), (S, 1, 1))`, which has no steps along its dimensions: it has steps along other dimensions
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give it a layout of strides, `htp.layouts.strided((8, 64), (72, 1))`, or none

#: without what names the devices
@kernel
def f(x: In[Tensor[f32, A, A, htp.layouts.shard((A, A), ("x", None))]], y: Out[Tensor[f32, A, A]]) -> None:
    pass
#> 2:31 error pipeline.bad-layout: `htp.layouts.shard((A, A), ('x', None))` is no layout: `shard` has no argument `mesh=`
#>   hint: for instance `htp.layouts.ordered((64, 64), (0, 1))`, which is row-major

#: an axis that the mesh does not have
@kernel
def f(x: In[Tensor[f32, A, A, htp.layouts.shard((A, A), ("y", None), mesh={"x": X})]], y: Out[Tensor[f32, A, A]]) -> None:
    pass
#> 2:31 error pipeline.bad-layout: `htp.layouts.shard((A, A), ('y', None), mesh={'x': X})` is no layout: the mesh has no axis `y`
#>   hint: for instance `htp.layouts.ordered((64, 64), (0, 1))`, which is row-major

#: a keyword that it does not have
@kernel
def f(x: In[Tensor[f32, A, A, htp.layouts.ordered((A, A), (0, 1), offset=2)]], y: Out[Tensor[f32, A, A]]) -> None:
    pass
#> 2:31 error pipeline.bad-layout: `htp.layouts.ordered((A, A), (0, 1), offset=2)` is no layout: `ordered` has no parameter `offset`
#>   hint: for instance `htp.layouts.ordered((64, 64), (0, 1))`, which is row-major

#: an argument by position and by name
@kernel
def f(x: In[Tensor[f32, A, A, htp.layouts.strided((A, A), (A, 1), shape=(A, A))]], y: Out[Tensor[f32, A, A]]) -> None:
    pass
#> 2:31 error pipeline.bad-layout: `htp.layouts.strided((A, A), (A, 1), shape=(A, A))` is no layout: `strided` has two arguments `shape`
#>   hint: for instance `htp.layouts.ordered((64, 64), (0, 1))`, which is row-major

#: too many arguments
@kernel
def f(x: In[Tensor[f32, A, A, htp.layout(((A, A, "m"), (A, 1, "m")), ())]], y: Out[Tensor[f32, A, A]]) -> None:
    pass
#> 2:31 error pipeline.bad-layout: `htp.layout(((A, A, 'm'), (A, 1, 'm')), ())` is no layout: only 1 of the 2 arguments of `layout` may be given by position
#>   hint: for instance `htp.layouts.ordered((64, 64), (0, 1))`, which is row-major

#: a shape and strides of different lengths
@kernel
def f(x: In[Tensor[f32, A, A, htp.layouts.strided((A, A), (A,))]], y: Out[Tensor[f32, A, A]]) -> None:
    pass
#> 2:31 error pipeline.bad-layout: `htp.layouts.strided((A, A), (A,))` is no layout: there is one stride for each dimension
#>   hint: for instance `htp.layouts.ordered((64, 64), (0, 1))`, which is row-major

#: a string for an int
@kernel
def f(x: In[Tensor[f32, A, A, htp.layouts.shard((A, A), ("x", None), mesh={"x": "X"})]], y: Out[Tensor[f32, A, A]]) -> None:
    pass
#> 2:31 error pipeline.bad-layout: `htp.layouts.shard((A, A), ('x', None), mesh={'x': 'X'})` is no layout: `mesh` is {"x": 4, …}: its axes and how many devices each has
#>   hint: for instance `htp.layouts.ordered((64, 64), (0, 1))`, which is row-major

#: positions where there are names alone
@kernel
def f(x: In[Tensor[f32, A, A, levels(2)]], y: Out[Tensor[f32, A, A]]) -> None:
    pass
#> 2:31 error pipeline.bad-layout: `levels(2)` is no layout: only 0 of the 1 arguments of `levels` may be given by position
#>   hint: for instance `htp.layouts.ordered((64, 64), (0, 1))`, which is row-major

#: of a function that nothing calls
@kernel
def f(x: In[Tensor[f32, A, A]], y: Out[Tensor[f32, A, A]]) -> None:
    pass


def g(x: In[Tensor[f32, A, A, htp.layouts.packed((A, A), (2, 2), (0, 1))]]) -> None:
    pass
#> 6:31 error pipeline.bad-layout: `htp.layouts.packed((A, A), (2, 2), (0, 1))` is no layout: `packed` has no argument `inner`
#>   hint: for instance `htp.layouts.ordered((64, 64), (0, 1))`, which is row-major

#: a division by 0 that nothing reads
HALF = A // 0


@kernel
def f(x: In[Tensor[f32, A, A]], y: Out[Tensor[f32, A, A]]) -> None:
    pass
#> 1:8 error pipeline.no-number: `A // 0` has no value: it divides by 0
#>   hint: write a number that there is, or take the line out where nothing reads it

#: a text that is no number
LOWEST = float("lowest")


@kernel
def f(x: In[Tensor[f32, A, A]], y: Out[Tensor[f32, A, A]]) -> None:
    pass
#> 1:10 error pipeline.no-number: `float('lowest')` has no value: the text is no number
#>   hint: write a number that there is, or take the line out where nothing reads it

#: texts that are numbers
LOWEST, SOME = float(" -Infinity "), int("1_000") + float("1e3")


@kernel
def f(x: In[Tensor[f32, A, A]], y: Out[Tensor[f32, A, A]]) -> None:
    pass
#> compiles

#: a name that is not bound
@kernel
def f(x: In[Tensor[f32, A, B]], y: Out[Tensor[f32, A, A]]) -> None:
    pass
#> 2:28 error pipeline.undefined-name: `B` is not defined
#>   hint: bind it above this line, or import it
