#: another program
#! tool: echo nothing of the kind
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for p in htp.vectorized(range(N)):
        v: f32 = cpu.get(x, p)
        w: f32 = cpu.add(v, 1.0)
        cpu.put(y, w, p)
#> 2:1 error mlir.bad-text: mlir-opt's output is not generic MLIR: an operation in generic form expected, `nothing of the kind` found
#>   note: line 1 of what mlir-opt printed
#>   hint: MLIR 19 is known to fit: `apt-get install mlir-19-tools`

#: a text that ends early
#! prints: head -n 5
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for p in htp.vectorized(range(N)):
        v: f32 = cpu.get(x, p)
        w: f32 = cpu.add(v, 1.0)
        cpu.put(y, w, p)
#> 2:1 error mlir.bad-text: mlir-opt's output is not generic MLIR: an operation in generic form expected, the end found
#>   note: line 6 of what mlir-opt printed
#>   hint: MLIR 19 is known to fit: `apt-get install mlir-19-tools`

#: a value with two definitions
#! prints: sed 's/^\(.*"arith.constant".*\)$/\1\n\1/'
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for p in htp.vectorized(range(N)):
        v: f32 = cpu.get(x, p)
        w: f32 = cpu.add(v, 1.0)
        cpu.put(y, w, p)
#> 2:1 error mlir.repeated: mlir-opt's output defines `%0` twice
#>   note: line 5 of what mlir-opt printed
#>   hint: MLIR 19 is known to fit: `apt-get install mlir-19-tools`

#: a value without a definition
#! prints: sed '/"memref.load"/d'
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for p in htp.vectorized(range(N)):
        v: f32 = cpu.get(x, p)
        w: f32 = cpu.add(v, 1.0)
        cpu.put(y, w, p)
#> 2:1 error mlir.undefined: mlir-opt's output uses `%3` in `arith.addf` without a definition
#>   note: line 9 of what mlir-opt printed
#>   hint: MLIR 19 is known to fit: `apt-get install mlir-19-tools`

#: a value of two types
#! prints: sed 's/"arith.addf"\(.*\) : (f32, f32) -> f32/"arith.addf"\1 : (f64, f64) -> f64/'
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for p in htp.vectorized(range(N)):
        v: f32 = cpu.get(x, p)
        w: f32 = cpu.add(v, 1.0)
        cpu.put(y, w, p)
#> 2:1 error mlir.other-type: mlir-opt's output uses `%3` as `f64`, and it is `f32`
#>   note: line 10 of what mlir-opt printed
#>   hint: MLIR 19 is known to fit: `apt-get install mlir-19-tools`

#: a loop without a step
#! prints: sed 's/"scf.for"(\(.*\), %[^,]*)/"scf.for"(\1)/; s/(index, index, index) -> ()/(index, index) -> ()/'
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for p in htp.vectorized(range(N)):
        v: f32 = cpu.get(x, p)
        w: f32 = cpu.add(v, 1.0)
        cpu.put(y, w, p)
#> 2:1 error mlir.malformed: mlir-opt's output has a malformed `scf.for`
#>   note: line 7 of what mlir-opt printed
#>   hint: MLIR 19 is known to fit: `apt-get install mlir-19-tools`

#: an operation without its attribute
#! prints: sed 's/"arith.constant"() <{[^}]*}>/"arith.constant"()/'
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for p in htp.vectorized(range(N)):
        v: f32 = cpu.get(x, p)
        w: f32 = cpu.add(v, 1.0)
        cpu.put(y, w, p)
#> 2:1 error mlir.bad-attribute: mlir-opt's output has a `arith.constant` without a valid `value`
#>   note: line 5 of what mlir-opt printed
#>   hint: MLIR 19 is known to fit: `apt-get install mlir-19-tools`

#: a function of other parameters
#! prints: sed 's/"func.func"() <{\(.*\)sym_name = "f"/"func.func"() <{\1sym_name = "g"/'
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for p in htp.vectorized(range(N)):
        v: f32 = cpu.get(x, p)
        w: f32 = cpu.add(v, 1.0)
        cpu.put(y, w, p)
#> 2:1 error mlir.other-function: `f` went to mlir-opt with a body, and came back with nothing
#>   note: line 1 of what mlir-opt printed
#>   hint: take passes of whole modules out of `pipeline`: `inline`, `symbol-dce`

#: a parameter of another type
#! prints: sed 's/memref<?xf32>/memref<?xf64>/g'
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for p in htp.vectorized(range(N)):
        v: f32 = cpu.get(x, p)
        w: f32 = cpu.add(v, 1.0)
        cpu.put(y, w, p)
#> 2:1 error mlir.other-function: `f` went to mlir-opt with `x` of `memref<?xf32>`, and came back with `memref<?xf64>`
#>   note: line 2 of what mlir-opt printed
#>   hint: take passes of whole modules out of `pipeline`: `inline`, `symbol-dce`

#: types for other operands
#! prints: sed 's/: (f32, f32) -> f32/: (f32) -> f32/'
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for p in htp.vectorized(range(N)):
        v: f32 = cpu.get(x, p)
        w: f32 = cpu.add(v, 1.0)
        cpu.put(y, w, p)
#> 2:1 error mlir.bad-text: mlir-opt's output is not generic MLIR: 2 operand and 1 result types of `arith.addf` expected, 1 operand and 1 result types found
#>   note: line 10 of what mlir-opt printed
#>   hint: MLIR 19 is known to fit: `apt-get install mlir-19-tools`
