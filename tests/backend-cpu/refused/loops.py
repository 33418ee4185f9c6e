import htp
htp.stage(number=4, after='cpu.loops', holds=['Codegen.Ready(target=cpu)'], then=['cpu.drop_redundant_stores', 'cpu.pack_panels', 'cpu.unroll_and_jam', 'cpu.stream_rows'], entry='f', target='cpu')
from htp import In, Out, bool_, f32, i32, i64
from htp_tile import Tensor, Tile, kernel, tiles
import htp_cpu as cpu

N = htp.dim("N")
A = 8


#: a parameter that is a tile
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tile[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    pass
#> - error cpu.parameter: `f` has a parameter that is neither a tensor nor a scalar
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: annotate it: `In[Tensor[f32, N]]`, `f32`, `int`

#: a parameter by name
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]], *, m: f32) -> None:
    pass
#> - error cpu.parameter: `f` has a parameter that is neither a tensor nor a scalar
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: annotate it: `In[Tensor[f32, N]]`, `f32`, `int`

#: a scalar
@kernel
def f(x: In[Tensor[f32, N, A]], n: i32, y: Out[Tensor[f32, N, A]]) -> None:
    v: i32 = cpu.get(n, 0)
#> compiles

#: a negative extent
@kernel
def f(x: In[Tensor[f32, N, -1]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    pass
#> 2:28 error cpu.extent: the extent `-1` of `x` is not an int of 0 or more
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write an int, or a name that `htp.dim` makes

#: an extent of 0
@kernel
def f(x: In[Tensor[f32, N, 0]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    pass
#> compiles

#: an extent with a fraction
@kernel
def f(x: In[Tensor[f32, N, 1.5]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    pass
#> 2:28 error cpu.extent: the extent `1.5` of `x` is not an int of 0 or more
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write an int, or a name that `htp.dim` makes

#: a with
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    with x:
        pass
#> 3:5 error cpu.statement: `with x:` is not a statement of scalar loops
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write it with these; docs/extending/loops.md lists the forms

#: an assignment to two names
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    a, b = 1, 2
#> 3:5 error cpu.statement: `a, b = (1, 2)` is not a statement of scalar loops
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write it with these; docs/extending/loops.md lists the forms

#: two assignments
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    a = 1
    b = 2
#> compiles

#: an expression that is no call of the set
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    print(x)
#> 3:5 error cpu.statement: `print(x)` is not a statement of scalar loops
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write it with these; docs/extending/loops.md lists the forms

#: an int of a name that nothing assigns
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    cpu.put(y, 1.0, m, 0)
#> 3:21 error cpu.unknown-name: `m` is not known here
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: assign it before, in a block around; or make it a constant of the module

#: an int that is assigned before
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    m = N - 1
    cpu.put(y, 1.0, m, 0)
#> compiles

#: an element of a block inside
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    for p in range(N):
        v: f32 = cpu.get(x, p, 0)
    cpu.put(y, v, 0, 0)
#> 5:16 error cpu.unknown-name: `v` is not known here
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: assign it before, in a block around; or make it a constant of the module

#: a true division
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    v: f32 = cpu.get(x, N / 2, 0)
#> 3:25 error cpu.index: `N / 2` is not arithmetic of ints
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write it with these: ints are divided by `//`

#: an integer division
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    v: f32 = cpu.get(x, N // 2, 0)
#> compiles

#: a fraction as an index
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    v: f32 = cpu.get(x, 0.5, 0)
#> 3:25 error cpu.index: `0.5` is not arithmetic of ints
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write it with these: ints are divided by `//`

#: a condition by identity
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    if N is A:
        pass
#> 3:8 error cpu.condition: `N is A` is not a condition of ints
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: compare ints; where elements decide, `cpu.where` chooses between two

#: a condition by equality
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    if N == A:
        pass
#> compiles

#: a break in a range
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    for p in range(N):
        break
#> 4:9 error cpu.no-while: this `break` leaves no `while`
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write the loop as a `while`, or leave the `break` out

#: a break in a while
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    m = N
    while m > 0:
        break
#> compiles

#: a while with an else
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    while N > 9:
        pass
    else:
        pass
#> 3:5 error cpu.loop-else: this loop has an `else`
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: put it behind the loop

#: a for with an else
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    for p in range(N):
        pass
    else:
        pass
#> 3:5 error cpu.loop-else: this loop has an `else`
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: put it behind the loop

#: a loop over blocks
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    for i in tiles(N, 8):
        pass
#> 3:14 error cpu.loop-range: the CPU has no loop over `tiles(N, 8)`
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `for p in range(N):`

#: a loop over a tuple
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    for p in (1, 2):
        pass
#> 3:14 error cpu.loop-range: the CPU has no loop over `(1, 2)`
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `for p in range(N):`

#: a loop over a range
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    for p in range(1, 3):
        pass
#> compiles

#: a step of 0
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    for p in range(0, N, 0):
        pass
#> 3:26 error cpu.zero-step: the step of this loop is 0
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give a step that is not 0

#: a step of 2
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    for p in range(0, N, 2):
        pass
#> compiles

#: a loop over an int's name
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    p = 0
    for p in range(N):
        pass
#> 4:9 error cpu.loop-variable: `p` is the variable of a loop, and is assigned otherwise
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give one of them another name

#: a loop's variable assigned
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    for p in range(N):
        p = 0
#> 4:9 error cpu.loop-variable: `p` is the variable of a loop, and is assigned otherwise
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give one of them another name

#: a name of its own
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    q = 0
    for p in range(N):
        q = p
#> compiles

#: an element of something that is no tensor
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    v: f32 = cpu.get(h, 0)
#> 3:14 error cpu.not-memory: `cpu.get(h, 0)` reaches for something that is not a tensor or a buffer here
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: name a parameter of type `Tensor[…]`, or allocate the buffer before: `h: Tile[f32, 8] = cpu.alloc(f32, 8)`

#: an element of a buffer
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    h: Tile[f32, A] = cpu.alloc(f32, A)
    cpu.put(h, 1.0, 0)
    v: f32 = cpu.get(h, 0)
#> compiles

#: an element put into something that is no tensor
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    cpu.put(h, 1.0, 0)
#> 3:5 error cpu.not-memory: `cpu.put(h, 1.0, 0)` reaches for something that is not a tensor or a buffer here
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: name a parameter of type `Tensor[…]`, or allocate the buffer before: `h: Tile[f32, 8] = cpu.alloc(f32, 8)`

#: an input written
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    cpu.put(x, 1.0, 0, 0)
#> 3:5 error cpu.input-written: `x` is an input, and is written to
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare it `Out` or `InOut`, or write to another tensor

#: an output written
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    cpu.put(y, 1.0, 0, 0)
#> compiles

#: one index of two
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    v: f32 = cpu.get(x, 0)
#> 3:14 error cpu.index-count: the numbers of indices of `cpu.get(x, 0)`, 1, and of dimensions of `x`, 2, differ
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give one index for each dimension

#: both indices
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    v: f32 = cpu.get(x, 0, 1)
#> compiles

#: an element of another dtype
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    v: i32 = cpu.get(x, 0, 0)
#> 3:14 error cpu.dtype-mismatch: `x` is f32, and i32 is expected here
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: `cpu.cast` it before, or annotate the name with its dtype

#: an element of its dtype, cast
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    v: f32 = cpu.get(x, 0, 0)
    w: i32 = cpu.cast(v, i32)
#> compiles

#: an operand of another dtype
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    v: f32 = cpu.get(x, 0, 0)
    w: i32 = cpu.get(n, 0)
    s: f32 = cpu.add(v, w)
#> 5:25 error cpu.dtype-mismatch: `w` is i32, and f32 is expected here
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: `cpu.cast` it before, or annotate the name with its dtype

#: bits of a float
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    v: f32 = cpu.get(x, 0, 0)
    w: f32 = cpu.bit_and(v, v)
#> 4:14 error cpu.dtype-mismatch: `cpu.bit_and(v, v)` is f32, and an integer is expected here
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: `cpu.cast` it before, or annotate the name with its dtype

#: an exponential of integers
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    v: i32 = cpu.get(n, 0)
    w: i32 = cpu.exp(v)
#> 4:14 error cpu.dtype-mismatch: `cpu.exp(v)` is i32, and a float is expected here
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: `cpu.cast` it before, or annotate the name with its dtype

#: bytes of floats
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    v: f32 = cpu.get(x, 0, 0)
    w: f32 = cpu.dot4(v, v, v)
#> 4:14 error cpu.dtype-mismatch: `cpu.dot4(v, v, v)` is f32, and i32 is expected here
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: `cpu.cast` it before, or annotate the name with its dtype

#: a name given another dtype
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    v: f32 = cpu.get(x, 0, 0)
    v: i32 = cpu.get(n, 0)
#> 4:14 error cpu.dtype-mismatch: `v` is f32, and i32 is expected here
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: `cpu.cast` it before, or annotate the name with its dtype

#: a comparison as a number
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    v: f32 = cpu.get(x, 0, 0)
    w: f32 = cpu.lt(v, 1.0)
#> 4:14 error cpu.dtype-mismatch: `cpu.lt(v, 1.0)` is bool_, and f32 is expected here
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: `cpu.cast` it before, or annotate the name with its dtype

#: a comparison as a truth value
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    v: f32 = cpu.get(x, 0, 0)
    w: bool_ = cpu.lt(v, 1.0)
#> compiles

#: a fraction among integers
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    v: i32 = cpu.get(n, 0)
    w: i32 = cpu.add(v, 1.5)
#> 4:25 error cpu.literal: `1.5` has a fraction, and i32 is expected here
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write an int, or compute in a float

#: an int among integers
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    v: i32 = cpu.get(n, 0)
    w: i32 = cpu.add(v, 2)
#> compiles

#: an element without a type
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    v = cpu.get(x, 0, 0)
#> 3:9 error cpu.untyped-scalar: `v` has no type where it is first assigned
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: annotate it: `v: f32 = …`

#: a dtype that the CPU does not have
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    v: htp.i4 = cpu.splat(htp.i4, 0)
#> 3:8 error cpu.unsupported-dtype: the CPU backend has no `htp.i4`
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: cast the data to a dtype it has before it reaches the kernel

#: a load in a loop over elements
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    v: f32 = cpu.load(x, 0, 0)
#> 3:14 error cpu.not-elementwise: `cpu.load` does not compute an element
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write it as loops over elements, or begin from a stage before `cpu.loops`

#: three operands of two
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    v: f32 = cpu.get(x, 0, 0)
    w: f32 = cpu.add(v, 1, 2)
#> 4:14 error cpu.arguments: `cpu.add(v, 1, 2)` does not have the arguments of its signature
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give it the arguments that its signature names

#: a comparison of literals
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    w: bool_ = cpu.lt(1.0, 2.0)
#> 3:16 error cpu.no-dtype: no operand of `cpu.lt(1.0, 2.0)` has a dtype
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: name one of them first: `v: f32 = cpu.splat(f32, 1.0)`

#: a comparison with a splat
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    v: f32 = cpu.splat(f32, 1.0)
    w: bool_ = cpu.lt(v, 2.0)
#> compiles

#: a position of a float
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    v: f32 = cpu.get(x, 0, 0)
    m = cpu.position(v, A)
#> 4:9 error cpu.not-integer: `cpu.position(v, A)` is an int of something that is none
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: `cpu.cast` the element to `i32` first

#: a position of an integer
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    v: i32 = cpu.get(n, 0)
    m = cpu.position(v, A)
    cpu.put(y, 1.0, 0, m)
#> compiles

#: an int as a float
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    for p in range(N):
        v: f32 = cpu.index(f32, p)
#> 4:18 error cpu.not-integer: `cpu.index(f32, p)` is an int of something that is none
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: `cpu.cast` the element to `i32` first

#: an int as an integer
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    for p in range(N):
        v: i64 = cpu.index(i64, p)
#> compiles

#: a buffer without a type
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    h = cpu.alloc(f32, 8)
#> 3:5 error cpu.untyped-buffer: the buffer `h` has no type with a dtype and extents
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: annotate it: `h: Tensor[f32, 8, N] = …`, or `Tile[f32, 8, N]` of `cpu.alloc`

#: a buffer whose type has other dimensions
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    h: Tile[f32, 8] = cpu.alloc(f32, 8, A)
#> 3:23 error cpu.buffer-dimensions: `h` and its type have different numbers of dimensions
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write the extents of its type: `h: Tile[f32, 8, N] = cpu.alloc(f32, 8, N)`

#: a buffer as its type says
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    h: Tile[f32, 8, A] = cpu.alloc(f32, 8, A)
#> compiles

#: an order in a buffer of floats
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    h: Tile[f32, N] = cpu.alloc(f32, N)
    k: Tile[f32, N] = cpu.alloc(f32, N)
    cpu.order(h, k, N, N)
#> 5:5 error cpu.order: `cpu.order(h, k, N, N)` does not sort lines of elements
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give a buffer of i32 with the number of dimensions that the lines have, and an index for each but the last

#: an order in a buffer of i32
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    h: Tile[i32, N] = cpu.alloc(i32, N)
    k: Tile[f32, N] = cpu.alloc(f32, N)
    cpu.order(h, k, N, N)
#> compiles

#: an order of something that is no buffer
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    cpu.order(a, b, N, N)
#> 3:5 error cpu.not-memory: `cpu.order(a, b, N, N)` reaches for something that is not a tensor or a buffer here
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: name a parameter of type `Tensor[…]`, or allocate the buffer before: `h: Tile[f32, 8] = cpu.alloc(f32, 8)`

#: a second buffer of one name
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    e: Tile[f32, 8] = cpu.alloc(f32, 8)
    e: Tile[f32, 8] = cpu.alloc(f32, 8)
#> 4:5 error cpu.bound-otherwise: `e` stands for something else already
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give one of them another name

#: a dtype other than its annotation
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    e: f32 = cpu.splat(i32, 0)
#> 3:24 error cpu.dtype-mismatch: `i32` is i32, and f32 is expected here
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: `cpu.cast` it before, or annotate the name with its dtype

#: a buffer of less than nothing
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    e: Tile[f32, 8] = cpu.alloc(f32, -8)
#> 3:38 error cpu.extent: the extent `-8` of `e` is not an int of 0 or more
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write an int, or a name that `htp.dim` makes

#: a parallel loop that carries an element
@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    e: f32 = cpu.splat(f32, 0)
    for p in htp.parallel(range(N)):
        v: f32 = cpu.get(x, p, 0)
        e = cpu.add(e, v)
    cpu.put(y, e, 0, 0)
#> 6:21 error cpu.shared-name: iterations of this parallel loop share `e`
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: leave `parallel` out, or give each iteration a name or an element of its own

#: a process of a kernel that is no pipeline
from htp_csp import process


@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    @process
    def one() -> None:
        pass
#> 7:5 error cpu.not-pipeline: `f` declares `one`, and is not a pipeline
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: mark the entry `@csp.pipeline`

#: a channel of a kernel that is no pipeline
import htp_csp as csp


@kernel
def f(x: In[Tensor[f32, N, A]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N, A]]) -> None:
    rows: csp.Channel[f32, A] = cpu.channel(f32, A, capacity=1)
#> 6:5 error cpu.not-pipeline: `f` declares `rows`, and is not a pipeline
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: mark the entry `@csp.pipeline`
