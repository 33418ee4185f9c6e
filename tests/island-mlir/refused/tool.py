#: an option that is none
#! claim: most
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for p in htp.vectorized(range(N)):
        v: f32 = cpu.get(x, p)
        w: f32 = cpu.add(v, 1.0)
        cpu.put(y, w, p)
#> - error mlir.bad-option: `claim` is `most`; it may be `entry` or `loops`
#>   hint: the options stand under `options:` and `mlir.passes:` in the profile

#: a form that is none
#! form: afine
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for p in htp.vectorized(range(N)):
        v: f32 = cpu.get(x, p)
        w: f32 = cpu.add(v, 1.0)
        cpu.put(y, w, p)
#> - error mlir.bad-option: `form` is `afine`; it may be `scf`, `affine` or `linalg`
#>   hint: the options stand under `options:` and `mlir.passes:` in the profile

#: a pass that MLIR does not have
#! pipeline: builtin.module(func.func(cze))
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for p in htp.vectorized(range(N)):
        v: f32 = cpu.get(x, p)
        w: f32 = cpu.add(v, 1.0)
        cpu.put(y, w, p)
#> - error mlir.bad-pipeline: mlir-opt-19 does not take this `pipeline`: 'cze' does not refer to a registered pass or pass pipeline
#>   note: <unknown>:0: error: MLIR Textual PassPipeline Parser:1:11: error: 'cze' does not refer to a registered pass or pass pipeline …
#>   hint: did you mean `cse`?

#: the pass that was meant
#! pipeline: builtin.module(func.func(cse))
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for p in htp.vectorized(range(N)):
        v: f32 = cpu.get(x, p)
        w: f32 = cpu.add(v, 1.0)
        cpu.put(y, w, p)
#> compiles

#: the last words of a pass's name
#! pipeline: builtin.module(func.func(loop-fusion))
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for p in htp.vectorized(range(N)):
        v: f32 = cpu.get(x, p)
        w: f32 = cpu.add(v, 1.0)
        cpu.put(y, w, p)
#> - error mlir.bad-pipeline: mlir-opt-19 does not take this `pipeline`: 'loop-fusion' does not refer to a registered pass or pass pipeline
#>   note: <unknown>:0: error: MLIR Textual PassPipeline Parser:1:11: error: 'loop-fusion' does not refer to a registered pass or pass pipeline …
#>   hint: did you mean `affine-loop-fusion`?

#: a bracket that is missing
#! pipeline: builtin.module(func.func(cse)
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for p in htp.vectorized(range(N)):
        v: f32 = cpu.get(x, p)
        w: f32 = cpu.add(v, 1.0)
        cpu.put(y, w, p)
#> - error mlir.bad-pipeline: mlir-opt-19 does not take this `pipeline`: encountered unbalanced parentheses while parsing pipeline
#>   note: <unknown>:0: error: MLIR Textual PassPipeline Parser:1:11: error: encountered unbalanced parentheses while parsing pipeline …
#>   hint: it is written as for `mlir-opt --pass-pipeline`: `builtin.module(func.func(cse))`; `mlir-opt-19 --help` lists the passes

#: a pass of functions outside of functions
#! pipeline: builtin.module(affine-super-vectorize)
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for p in htp.vectorized(range(N)):
        v: f32 = cpu.get(x, p)
        w: f32 = cpu.add(v, 1.0)
        cpu.put(y, w, p)
#> - error mlir.bad-pipeline: mlir-opt-19 does not take this `pipeline`: Can't add pass 'AffineVectorize' restricted to 'func.func' on a PassManager intended to run on 'builtin.module', did you intend to nest?
#>   note: <unknown>:0: error: Can't add pass 'AffineVectorize' restricted to 'func.func' on a PassManager intended to run on 'builtin.module', did you intend to nest? …
#>   hint: it is written as for `mlir-opt --pass-pipeline`: `builtin.module(func.func(cse))`; `mlir-opt-19 --help` lists the passes

#: a pass alone
#! pipeline: cse
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for p in htp.vectorized(range(N)):
        v: f32 = cpu.get(x, p)
        w: f32 = cpu.add(v, 1.0)
        cpu.put(y, w, p)
#> - error mlir.bad-pipeline: mlir-opt-19 does not take this `pipeline`: expected pass pipeline to be wrapped with the anchor operation type, e.g. 'builtin.module(...)'
#>   note: <unknown>:0: error: expected pass pipeline to be wrapped with the anchor operation type, e.g. 'builtin.module(...)'
#>   hint: it is written as for `mlir-opt --pass-pipeline`: `builtin.module(func.func(cse))`; `mlir-opt-19 --help` lists the passes

#: an option that a pass does not have
#! pipeline: builtin.module(func.func(affine-loop-tile{tile-sise=3}))
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for p in htp.vectorized(range(N)):
        v: f32 = cpu.get(x, p)
        w: f32 = cpu.add(v, 1.0)
        cpu.put(y, w, p)
#> - error mlir.bad-pipeline: mlir-opt-19 does not take this `pipeline`: no such option tile-sise
#>   note: <unknown>:0: error: <Pass-Options-Parser>: no such option tile-sise …
#>   hint: it is written as for `mlir-opt --pass-pipeline`: `builtin.module(func.func(cse))`; `mlir-opt-19 --help` lists the passes

#: a tool that is stopped
#! tool: exit 70
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for p in htp.vectorized(range(N)):
        v: f32 = cpu.get(x, p)
        w: f32 = cpu.add(v, 1.0)
        cpu.put(y, w, p)
#> - fault mlir.tool-failed: mlir-opt-19 ended with status 70
#>   hint: take the pass that fails out of `pipeline`, or put it behind `canonicalize` and `cse`

#: a tool that does not start
#! tool: echo 'error while loading shared libraries' >&2; exit 127
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for p in htp.vectorized(range(N)):
        v: f32 = cpu.get(x, p)
        w: f32 = cpu.add(v, 1.0)
        cpu.put(y, w, p)
#> - fault mlir.no-tool: mlir-opt-19 is not installed, or does not start
#>   note: error while loading shared libraries
#>   hint: `apt-get install mlir-19-tools`, or leave `mlir.passes` out of the pipeline

#: a pass that fails on a program
#! form: affine
#! pipeline: builtin.module(func.func(affine-loop-coalescing))
@kernel
def f(x: In[Tensor[f32, N, 8]], y: Out[Tensor[f32, N, 8]]) -> None:
    for i in range(0, N, 4):
        for p in range(min(4, N - i)):
            for q in range(8):
                cpu.put(y, 1.0, i + p, q)
#> 4:9 error mlir.pass-failed: MLIR's pass `affine-loop-coalescing` fails here: 'affine.for' op operand cannot be used as a symbol
#>   hint: it takes loops whose ranges are numbers and sizes of tensors: blocks that divide the extent evenly, as of `tiles(64, 4)`, or `for m in range(M)`; or take it out of `pipeline`

#: a pass that takes the program
#! form: affine
#! pipeline: builtin.module(func.func(affine-loop-coalescing))
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for p in range(M):
        for q in range(N):
            v: f32 = cpu.get(x, p, q)
            cpu.put(y, v, p, q)
#> compiles
