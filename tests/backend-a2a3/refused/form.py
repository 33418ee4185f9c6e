import htp
htp.stage(number=6, after='a2a3.drop_redundant_flags', holds=['Codegen.Ready(target=a2a3)'], then=[], entry='f', target='a2a3')
from htp import In, InOut, Out, bf16, bool_, f16, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64
from htp_tile import Tensor, kernel
import htp_pto as pto

#: a kernel
@kernel
def f(x: In[Tensor[f32, 64]]) -> None:
    with pto.aiv():
        pto.drain()
#> compiles

#: no kernel
@kernel
def f(x: In[Tensor[f32, 64]]) -> None:
    g = pto.gm(f32, 64)
#> 2:1 error a2a3.no-kernel: `f` has no kernel
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write one: `with pto.aiv():`

#: a kernel beside memory
@kernel
def f(x: In[Tensor[f32, 64]]) -> None:
    g = pto.gm(f32, 64)
    with pto.aiv():
        pto.drain()
#> compiles

#: a statement beside kernels
@kernel
def f(x: In[Tensor[f32, 64]]) -> None:
    print(x)
    with pto.aiv():
        pto.drain()
#> 3:5 error a2a3.beside-kernel: `print(x)` stands in no kernel
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: move it into a kernel, or take it out

#: a statement in no place
@kernel
def f(x: In[Tensor[f32, 64]]) -> None:
    with pto.aiv():
        pto.drain()
#> compiles

#: a kernel of another form
@kernel
def f(x: In[Tensor[f32, 64]]) -> None:
    with pto.one_by_one('aiv'):
        pto.drain()
#> 3:5 error a2a3.not-kernel: `with pto.one_by_one('aiv'):` does not begin a kernel
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `with pto.aiv():` or `with pto.aic():`, and before `a2a3.insert_flags` `with pto.one_by_one():`

#: a kernel of vector cores
@kernel
def f(x: In[Tensor[f32, 64]]) -> None:
    with pto.aiv():
        pto.drain()
#> compiles

#: an int behind a kernel
@kernel
def f(x: In[Tensor[f32, 64]]) -> None:
    with pto.aiv():
        pto.drain()
    k = 3
#> 5:5 error a2a3.beside-kernel: `k = 3` stands in no kernel
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: move it into a kernel, or take it out

#: tasks behind a kernel
@kernel
def f(x: In[Tensor[f32, 64]]) -> None:
    with pto.aiv():
        pto.drain()
    for k in range(0, 64, 8):
        with pto.aiv():
            pto.drain()
#> compiles

#: an int that is two
@kernel
def f(x: In[Tensor[f32, 64]]) -> None:
    k = 3
    k = 4
    with pto.aiv():
        pto.drain()
#> 4:5 error a2a3.int-changes: the int `k` has more than one value
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: compute it from sizes and loop variables where it is used

#: an int of nothing
@kernel
def f(x: In[Tensor[f32, 64]]) -> None:
    k = n + 1
    with pto.aiv():
        pto.drain()
#> 3:9 error a2a3.not-int: `n` is not an int of sizes, constants and loop variables
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write it with `+`, `-`, `*`, `//`, `%`, `min` and `max`

#: tasks from 1 on
@kernel
def f(x: In[Tensor[f32, 64]]) -> None:
    for k in range(1, 64, 8):
        with pto.aiv():
            pto.drain()
#> 3:5 error a2a3.task-loop: `for k in range(1, 64, 8):` is not a loop of tasks
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `for i_part in range(0, M, i_step):`

#: tasks from 0 on
@kernel
def f(x: In[Tensor[f32, 64]]) -> None:
    for k in range(0, 64, 8):
        with pto.aiv():
            pto.drain()
#> compiles

#: a statement beside a kernel of tasks
@kernel
def f(x: In[Tensor[f32, 64]]) -> None:
    for k in range(0, 64, 8):
        with pto.aiv():
            pto.drain()
        for n in range(0, 8, 2):
            pto.drain()
#> 7:13 error a2a3.beside-kernel: `pto.drain()` stands in no kernel
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: move it into a kernel, or take it out

#: memory of f64
@kernel
def f(x: In[Tensor[f32, 64]]) -> None:
    g = pto.gm(f64, 64)
    with pto.aiv():
        pto.drain()
#> 3:5 error a2a3.memory: `g = pto.gm(f64, 64)` is not memory between kernels
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write a dtype and extents: `pto.gm(f32, M, 64)`

#: memory of f32
@kernel
def f(x: In[Tensor[f32, 64]]) -> None:
    g = pto.gm(f32, 64)
    with pto.aiv():
        pto.drain()
#> compiles

#: a parameter that is an object
@kernel
def f(x: object) -> None:
    with pto.aiv():
        pto.drain()
#> 2:7 error a2a3.scalar-dtype: `x` is a scalar of object
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare it f32 or i32

#: a tensor without extents
@kernel
def f(x: In[Tensor[f32]]) -> None:
    with pto.aiv():
        pto.drain()
#> 2:7 error a2a3.parameter: the parameter `x` is not a tensor with extents or a scalar
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare it `In[Tensor[…]]`, `Out[Tensor[…]]` or a scalar

#: a tensor with extents
@kernel
def f(x: In[Tensor[f32, 64]]) -> None:
    with pto.aiv():
        pto.drain()
#> compiles

#: a tensor of f64
@kernel
def f(x: In[Tensor[f64, 64]]) -> None:
    with pto.aiv():
        pto.drain()
#> 2:7 error a2a3.tensor-dtype: `x` is a tensor of f64
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare it f32, `Tensor[f32, …]`, or i32 for integers

#: a scalar of f64
@kernel
def f(x: f64) -> None:
    with pto.aiv():
        pto.drain()
#> 2:7 error a2a3.scalar-dtype: `x` is a scalar of f64
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare it f32 or i32

#: a scalar of f32
@kernel
def f(x: f32) -> None:
    with pto.aiv():
        pto.drain()
#> compiles

#: a tile twice in a block
@kernel
def f(x: In[Tensor[f32, 64]], y: Out[Tensor[f32, 64]]) -> None:
    with pto.aiv():
        a = pto.tile(f32, 1, 64, valid=(1, 64), at=0)
        a = pto.tile(f32, 1, 64, valid=(1, 64), at=0)
        pto.drain()
#> 5:9 error a2a3.declared-twice: tile `a` is declared twice
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give one of the two another name

#: a tile again in a loop
@kernel
def f(x: In[Tensor[f32, 64]], y: Out[Tensor[f32, 64]]) -> None:
    with pto.aiv():
        a = pto.tile(f32, 1, 64, valid=(1, 64), at=0)
        for i in range(0, 2, 1):
            a = pto.tile(f32, 1, 64, valid=(1, 64), at=0)
        pto.drain()
#> 6:13 error a2a3.declared-twice: tile `a` is declared twice
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give one of the two another name

#: a tile of a loop behind it
@kernel
def f(x: In[Tensor[f32, 64]], y: Out[Tensor[f32, 64]]) -> None:
    with pto.aiv():
        for i in range(0, 2, 1):
            a = pto.tile(f32, 1, 64, valid=(1, 64), at=0)
        pto.tadds(a, a, 1.0)
        pto.drain()
#> 6:9 error a2a3.undeclared: `a` is not a tile that is declared before
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare it: `a = pto.tile(…)`

#: one name in two loops
@kernel
def f(x: In[Tensor[f32, 64]], y: Out[Tensor[f32, 64]]) -> None:
    with pto.aiv():
        for i in range(0, 2, 1):
            a = pto.tile(f32, 1, 64, valid=(1, 64), at=0)
        for i in range(0, 2, 1):
            a = pto.tile(f32, 1, 64, valid=(1, 64), at=0)
        pto.drain()
#> compiles
