#: a `while`
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    n = 0
    while n < 2:
        for p in range(N):
            v: f32 = cpu.get(x, p)
            cpu.put(y, v, p)
        n = n + 1
#> 4:5 error mlir.no-operation: MLIR has no operation for a `while`
#>   hint: `claim: loops` of `mlir.passes` takes the loops that have a form in MLIR, and leaves the rest as it is

#: a `while`, and the loops in it alone
#! claim: loops
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    n = 0
    while n < 2:
        for p in range(N):
            v: f32 = cpu.get(x, p)
            cpu.put(y, v, p)
        n = n + 1
#> compiles

#: an unsigned dtype
@kernel
def f(x: In[Tensor[u8, N]], y: Out[Tensor[u8, N]]) -> None:
    for p in range(N):
        v: u8 = cpu.get(x, p)
        cpu.put(y, v, p)
#> 2:10 error mlir.no-dtype: `x` has dtype u8, which MLIR's arithmetic does not have
#>   hint: compute in a signed dtype, as `cast(x, i32)`; or set `claim: loops` of `mlir.passes`, which leaves these loops as they are

#: a signed dtype
@kernel
def f(x: In[Tensor[i8, N]], y: Out[Tensor[i8, N]]) -> None:
    for p in range(N):
        v: i8 = cpu.get(x, p)
        cpu.put(y, v, p)
#> compiles

#: one name of two types
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]], z: InOut[Tensor[i32, N]]) -> None:
    for p in range(N):
        v: f32 = cpu.get(x, p)
        cpu.put(y, v, p)
    for p in range(N):
        n: i32 = cpu.index(i32, p)
        cpu.put(z, n, p)
    for p in range(2):
        e: Tile[f32, 4] = cpu.alloc(f32, 4)
        cpu.put(e, 0.0, p)
    for p in range(2):
        e: Tile[f32, 8] = cpu.alloc(f32, 8)
        cpu.put(e, 0.0, p)
#> 10:9 error mlir.several-types: `e` has several types in the entry
#>   hint: give each its own name

#: a literal beyond its dtype
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for p in range(N):
        cpu.put(y, 1e39, p)
#> 4:20 error mlir.no-literal: `1e+39` is not a value of f32
#>   hint: write a number that the dtype holds, or compute in a wider one

#: a literal of a wider dtype
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for p in range(N):
        cpu.put(y, 1e38, p)
#> compiles

#: a condition as an index
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, 2]]) -> None:
    for p in range(N):
        v: f32 = cpu.get(x, p)
        m: bool_ = cpu.lt(v, 0.5)
        b = cpu.holds(m)
        cpu.put(y, v, b)
#> 7:23 error mlir.not-index: `b` is not an index expression
#>   hint: ask the condition by `if`: `at = 0`, and `at = 1` under `if b:`

#: an index that a condition sets
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, 2]]) -> None:
    for p in range(N):
        v: f32 = cpu.get(x, p)
        m: bool_ = cpu.lt(v, 0.5)
        b = cpu.holds(m)
        at = 0
        if b:
            at = 1
        cpu.put(y, v, at)
#> compiles

#: a product of loop variables as an affine index
#! form: affine
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for p in range(N):
        cpu.put(y, 1.0, p * p)
#> 4:25 error mlir.not-affine: `p * p` has no affine form
#>   hint: set `form: scf` of `mlir.passes`, which takes any index; or `claim: loops`, which leaves this loop as it is

#: a product of loop variables as an affine bound
#! form: affine
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for p in range(N):
        for q in range(p * p):
            cpu.put(y, 1.0, q)
#> 4:24 error mlir.not-affine: `p * p` has no affine form
#>   hint: set `form: scf` of `mlir.passes`, which takes any index; or `claim: loops`, which leaves this loop as it is

#: a load with `outside=` in affine form
#! form: affine
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for p in range(N):
        v: f32 = cpu.get(x, p + 1, outside=0.5)
        cpu.put(y, v, p)
#> 4:18 error mlir.not-affine: `cpu.get(x, p + 1, outside=0.5)` has no affine form
#>   hint: set `form: scf` of `mlir.passes`, which takes any index; or `claim: loops`, which leaves this loop as it is

#: a product of loop variables, whose loop stays
#! form: affine
#! claim: loops
#! pipeline: builtin.module(func.func(cse))
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for p in range(N):
        cpu.put(y, 1.0, p * p // N)
    for p in range(N):
        cpu.put(y, 2.0, p)
#> 3:5 note mlir.left: this loop stays in Python, which `claim: entry` refuses by `mlir.not-affine`
#>   note: `p * p // N` has no affine form
#>   hint: leave it, it computes the same; or change what the note names

#: a product of loop variables as an index of scf
#! form: scf
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for p in range(N):
        cpu.put(y, 1.0, p * p)
#> compiles

#: a division by a size
@kernel
def f(x: In[Tensor[f32, M]], y: InOut[Tensor[f32, N]]) -> None:
    for p in range(N):
        cpu.put(y, 1.0, p // M)
#> 4:25 error mlir.divisor: `p // M` divides by `M`, which is not a constant other than 0 and -1
#>   hint: `claim: loops` of `mlir.passes` takes the loops that have a form in MLIR, and leaves the rest as it is

#: a division by zero
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for p in range(N):
        cpu.put(y, 1.0, p % 0)
#> 4:25 error mlir.divisor: `p % 0` divides by `0`, which is not a constant other than 0 and -1
#>   hint: `claim: loops` of `mlir.passes` takes the loops that have a form in MLIR, and leaves the rest as it is

#: a step that is a size
@kernel
def f(x: In[Tensor[f32, M]], y: InOut[Tensor[f32, N]]) -> None:
    for p in range(0, N, M):
        cpu.put(y, 1.0, p)
#> 3:26 error mlir.step: the step `M` of this loop is not a positive constant
#>   hint: `claim: loops` of `mlir.passes` takes the loops that have a form in MLIR, and leaves the rest as it is

#: a loop downwards, which stays
#! claim: loops
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for p in range(N - 1, -1, -1):
        v: f32 = cpu.get(x, p)
        cpu.put(y, v, p)
#> 3:5 note mlir.left: this loop stays in Python, which `claim: entry` refuses by `mlir.step`
#>   note: the step `-1` of this loop is not a positive constant
#>   hint: leave it, it computes the same; or change what the note names
