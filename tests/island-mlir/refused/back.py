#: a `scf.while`
#! pipeline: builtin.module(func.func(scf-for-to-while))
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for p in htp.vectorized(range(N)):
        v: f32 = cpu.get(x, p)
        w: f32 = cpu.add(v, 1.0)
        cpu.put(y, w, p)
#> 2:1 error mlir.no-python: Python has no form for `scf.while`
#>   note: line 7 of what mlir-opt printed
#>   hint: take the pass that makes it out of `pipeline`, or let another one behind it lead back to the dialects scf, arith, math and memref

#: blocks
#! pipeline: builtin.module(convert-scf-to-cf)
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for p in htp.vectorized(range(N)):
        v: f32 = cpu.get(x, p)
        w: f32 = cpu.add(v, 1.0)
        cpu.put(y, w, p)
#> 2:1 error mlir.blocks: `cf.br` jumps between blocks, which Python has no form for
#>   note: line 7 of what mlir-opt printed
#>   hint: take the pass that makes it out of `pipeline`: `convert-scf-to-cf` and what stands behind it lead away from loops

#: an operation of linalg with a name of its own
#! form: linalg
#! pipeline: builtin.module(func.func(linalg-specialize-generic-ops))
@kernel
def f(x: In[Tensor[f32, N, 9]], y: InOut[Tensor[f32, N, 8]]) -> None:
    for p in range(N):
        for q in range(8):
            v: f32 = cpu.get(x, p, q)
            w: f32 = cpu.exp(v)
            cpu.put(y, w, p, q)
#> 2:1 error mlir.named-operation: Python has no form for the named operation `linalg.exp`
#>   note: line 7 of what mlir-opt printed
#>   hint: let `linalg-generalize-named-ops` follow the pass that makes it

#: an operation of linalg made general again
#! form: linalg
#! pipeline: builtin.module(func.func(linalg-specialize-generic-ops,linalg-generalize-named-ops))
@kernel
def f(x: In[Tensor[f32, N, 9]], y: InOut[Tensor[f32, N, 8]]) -> None:
    for p in range(N):
        for q in range(8):
            v: f32 = cpu.get(x, p, q)
            w: f32 = cpu.exp(v)
            cpu.put(y, w, p, q)
#> compiles

#: vectors of two dimensions
#! form: affine
#! pipeline: builtin.module(func.func(affine-super-vectorize{virtual-vector-size=4,4}))
@kernel
def f(x: In[Tensor[f32, 8, 8]], y: InOut[Tensor[f32, 8, 8]]) -> None:
    for p in range(8):
        for q in range(8):
            v: f32 = cpu.get(x, p, q)
            cpu.put(y, v, p, q)
#> 2:1 error mlir.no-python-of: Python has no form for `vector.transfer_read` of `vector<4x4xf32>`
#>   note: line 9 of what mlir-opt printed
#>   hint: take the pass that makes it out of `pipeline`

#: vectors of one dimension
#! form: affine
#! pipeline: builtin.module(func.func(affine-super-vectorize{virtual-vector-size=4}))
@kernel
def f(x: In[Tensor[f32, 8, 8]], y: InOut[Tensor[f32, 8, 8]]) -> None:
    for p in range(8):
        for q in range(8):
            v: f32 = cpu.get(x, p, q)
            cpu.put(y, v, p, q)
#> compiles

#: elements in reverse order
#! form: affine
#! pipeline: builtin.module(func.func(affine-super-vectorize{virtual-vector-size=4}))
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for p in range(4):
        v: f32 = cpu.get(x, p)
        cpu.put(y, v, 7 - p)
#> 2:1 error mlir.strided-lanes: `vector.transfer_write` accesses elements that are not consecutive
#>   note: line 9 of what mlir-opt printed
#>   hint: take `affine-super-vectorize` out of `pipeline`, or go through the elements in the order of memory

#: a sum of vectors
#! form: affine
#! pipeline: builtin.module(func.func(affine-super-vectorize{virtual-vector-size=4 vectorize-reductions=true}))
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    total: f32 = cpu.splat(f32, 0)
    for p in range(N):
        v: f32 = cpu.get(x, p)
        total = cpu.add(total, v)
    cpu.put(y, total, 0)
#> 2:1 error mlir.vector-sum: `affine.for` over vectors carries a value from one iteration to the next
#>   note: line 6 of what mlir-opt printed
#>   hint: leave out `vectorize-reductions=true`

#: a sum that is not one of vectors
#! form: affine
#! pipeline: builtin.module(func.func(affine-super-vectorize{virtual-vector-size=4}))
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    total: f32 = cpu.splat(f32, 0)
    for p in range(N):
        v: f32 = cpu.get(x, p)
        total = cpu.add(total, v)
    cpu.put(y, total, 0)
#> compiles

#: a parallel sum
#! form: affine
#! pipeline: builtin.module(func.func(affine-parallelize{parallel-reductions=1}))
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    total: f32 = cpu.splat(f32, 0)
    for p in range(N):
        v: f32 = cpu.get(x, p)
        total = cpu.add(total, v)
    cpu.put(y, total, 0)
#> 2:1 error mlir.parallel-results: the iterations of `affine.parallel` are parallel and give results
#>   note: line 5 of what mlir-opt printed
#>   hint: `parallel-reductions=0`, or take the pass out of `pipeline`

#: a buffer of a parallel loop that is hoisted
#! pipeline: builtin.module(func.func(buffer-loop-hoisting))
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for p in htp.parallel(range(N)):
        e: Tile[f32, 8] = cpu.alloc(f32, 8)
        v: f32 = cpu.get(x, p)
        cpu.put(e, v, 0)
        w: f32 = cpu.get(e, 0)
        cpu.put(y, w, p)
#> 2:1 error mlir.moved-buffer: the buffer `e` was moved out of a parallel loop or into one
#>   note: line 7 of what mlir-opt printed
#>   hint: take the pass that moves it out of `pipeline`: `buffer-loop-hoisting`, or `loop-invariant-code-motion`

#: a buffer of a parallel loop that stays
#! pipeline: builtin.module(func.func(canonicalize))
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for p in htp.parallel(range(N)):
        e: Tile[f32, 8] = cpu.alloc(f32, 8)
        v: f32 = cpu.get(x, p)
        cpu.put(e, v, 0)
        w: f32 = cpu.get(e, 0)
        cpu.put(y, w, p)
#> compiles

#: a comparison without a sign
#! prints: sed 's/predicate = 2 : i64/predicate = 6 : i64/'
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for p in range(N):
        if p < 4:
            cpu.put(y, 1.0, p)
#> 2:1 error mlir.no-python-comparison: Python has no form for the comparison `ult`
#>   note: line 10 of what mlir-opt printed
#>   hint: take the pass that makes it out of `pipeline`

#: a comparison of scalars that is true of NaN
#! prints: sed 's/predicate = 4 : i64/predicate = 11 : i64/'
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for p in range(N):
        v: f32 = cpu.get(x, p)
        m: bool_ = cpu.lt(v, 0.5)
        w: f32 = cpu.where(m, v, 0.5)
        cpu.put(y, w, p)
#> 2:1 error mlir.no-python-comparison: Python has no form for the comparison `ult`
#>   note: line 10 of what mlir-opt printed
#>   hint: take the pass that makes it out of `pipeline`

#: a constant that is NaN
#! prints: sed 's/value = 5.0*e-01 : f32/value = 0x7FC00000 : f32/'
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for p in range(N):
        cpu.put(y, 0.5, p)
#> 2:1 error mlir.no-python-constant: Python has no form for the constant `NaN`
#>   note: line 6 of what mlir-opt printed
#>   hint: take the pass that makes it out of `pipeline`

#: a type without a dtype
#! prints: sed 's/f64/f80/g'
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for p in range(N):
        v: f32 = cpu.get(x, p)
        w: f64 = cpu.cast(v, f64)
        z: f32 = cpu.cast(w, f32)
        cpu.put(y, z, p)
#> 2:1 error mlir.no-python-type: Python has no form for the type `f80`
#>   note: line 9 of what mlir-opt printed
#>   hint: take the pass that makes it out of `pipeline`

#: arithmetic on an address
#! prints: sed 's/"arith.addi"/"arith.divsi"/'
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for p in range(N):
        cpu.put(y, 0.5, p + 1)
#> 2:1 error mlir.no-python-of: Python has no form for `arith.divsi` of `index`
#>   note: line 9 of what mlir-opt printed
#>   hint: take the pass that makes it out of `pipeline`

#: an operation on another type
#! prints: sed 's/"arith.addi"/"arith.divui"/'
@kernel
def f(x: In[Tensor[i8, N]], y: InOut[Tensor[i8, N]]) -> None:
    for p in range(N):
        v: i8 = cpu.get(x, p)
        w: i8 = cpu.add(v, 1)
        cpu.put(y, w, p)
#> 2:1 error mlir.no-python: Python has no form for `arith.divui`
#>   note: line 10 of what mlir-opt printed
#>   hint: take the pass that makes it out of `pipeline`, or let another one behind it lead back to the dialects scf, arith, math and memref

#: a step that is not positive
#! prints: sed 's/<{value = 2 : index}>/<{value = 0 : index}>/'
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for p in range(0, N, 2):
        cpu.put(y, 0.5, p)
#> 2:1 error mlir.back-step: the step of `scf.for` is not a positive constant
#>   note: line 7 of what mlir-opt printed
#>   hint: take the pass that makes it out of `pipeline`

#: a division by a number below 1
#! form: affine
#! prints: sed 's/floordiv 2/floordiv -2/'
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for p in range(N):
        cpu.put(y, 0.5, p // 2)
#> 2:1 error mlir.back-divisor: `affine.store` divides by -2
#>   note: line 7 of what mlir-opt printed
#>   hint: take the pass that makes it out of `pipeline`

#: a loop form that is none
#! prints: sed 's/htp.vectorized(_)/vectorised/'
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for p in htp.vectorized(range(N)):
        v: f32 = cpu.get(x, p)
        w: f32 = cpu.add(v, 1.0)
        cpu.put(y, w, p)
#> 2:1 error mlir.loop-form: the attribute `htp.loop` is `vectorised`, which is no form of a loop
#>   note: line 7 of what mlir-opt printed
#>   hint: take the pass that changes it out of `pipeline`

#: a condition of many operations
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for p in range(N):
        if (p == 0 or p == 2 or p == 4 or p == 6 or p == 8 or p == 10 or p == 12 or p == 14 or p == 16 or p == 18 or p == 20 or p == 22 or p == 24 or p == 26 or p == 28 or p == 30 or p == 32 or p == 34 or p == 36 or p == 38 or p == 40 or p == 42 or p == 44 or p == 46 or p == 48 or p == 50 or p == 52 or p == 54 or p == 56 or p == 58 or p == 60 or p == 62 or p == 64 or p == 66 or p == 68 or p == 70 or p == 72 or p == 74 or p == 76 or p == 78 or p == 80 or p == 82 or p == 84 or p == 86 or p == 88 or p == 90 or p == 92 or p == 94 or p == 96 or p == 98 or p == 100 or p == 102 or p == 104 or p == 106 or p == 108 or p == 110 or p == 112 or p == 114 or p == 116 or p == 118 or p == 120 or p == 122 or p == 124 or p == 126 or p == 128 or p == 130 or p == 132 or p == 134 or p == 136 or p == 138 or p == 140 or p == 142 or p == 144 or p == 146 or p == 148 or p == 150 or p == 152 or p == 154 or p == 156 or p == 158 or p == 160 or p == 162 or p == 164 or p == 166 or p == 168 or p == 170 or p == 172 or p == 174 or p == 176 or p == 178 or p == 180 or p == 182 or p == 184 or p == 186 or p == 188 or p == 190 or p == 192 or p == 194 or p == 196 or p == 198 or p == 200 or p == 202 or p == 204 or p == 206 or p == 208 or p == 210 or p == 212 or p == 214 or p == 216 or p == 218 or p == 220 or p == 222 or p == 224 or p == 226 or p == 228 or p == 230 or p == 232 or p == 234 or p == 236 or p == 238 or p == 240 or p == 242 or p == 244 or p == 246 or p == 248 or p == 250 or p == 252 or p == 254 or p == 256 or p == 258 or p == 260 or p == 262 or p == 264 or p == 266 or p == 268 or p == 270 or p == 272 or p == 274 or p == 276 or p == 278 or p == 280 or p == 282 or p == 284 or p == 286 or p == 288 or p == 290 or p == 292 or p == 294 or p == 296 or p == 298 or p == 300 or p == 302 or p == 304 or p == 306 or p == 308 or p == 310 or p == 312 or p == 314 or p == 316 or p == 318 or p == 320 or p == 322 or p == 324 or p == 326 or p == 328 or p == 330 or p == 332 or p == 334 or p == 336 or p == 338 or p == 340 or p == 342 or p == 344 or p == 346 or p == 348 or p == 350 or p == 352 or p == 354 or p == 356 or p == 358 or p == 360 or p == 362 or p == 364 or p == 366 or p == 368 or p == 370 or p == 372 or p == 374 or p == 376 or p == 378 or p == 380 or p == 382 or p == 384 or p == 386 or p == 388 or p == 390 or p == 392 or p == 394 or p == 396 or p == 398 or p == 400 or p == 402 or p == 404 or p == 406 or p == 408 or p == 410 or p == 412 or p == 414 or p == 416 or p == 418 or p == 420 or p == 422 or p == 424 or p == 426 or p == 428 or p == 430 or p == 432 or p == 434 or p == 436 or p == 438 or p == 440 or p == 442 or p == 444 or p == 446 or p == 448 or p == 450 or p == 452 or p == 454 or p == 456 or p == 458 or p == 460 or p == 462 or p == 464 or p == 466 or p == 468 or p == 470 or p == 472 or p == 474 or p == 476 or p == 478 or p == 480 or p == 482 or p == 484 or p == 486 or p == 488 or p == 490 or p == 492 or p == 494 or p == 496 or p == 498 or p == 500 or p == 502 or p == 504 or p == 506 or p == 508 or p == 510 or p == 512 or p == 514 or p == 516 or p == 518):
            cpu.put(y, 0.5, p)
#> 2:1 error mlir.long-condition: `arith.ori` ends a condition of more than 500 operations
#>   note: line 768 of what mlir-opt printed
#>   hint: take the pass that unrolls the loop out of `pipeline`

#: a loop that lost its form
#! prints: sed 's/ {htp.loop = [^}]*}//'
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for p in htp.vectorized(range(N)):
        v: f32 = cpu.get(x, p)
        w: f32 = cpu.add(v, 1.0)
        cpu.put(y, w, p)
#> 3:5 warning mlir.form-lost: the loop over `p` is no longer htp.vectorized(range(N))
#>   hint: take the pass that makes the loop anew out of the pipeline

#: masks
#! form: affine
#! pipeline: builtin.module(func.func(affine-super-vectorize{virtual-vector-size=4}))
#! prints: sed 's/operandSegmentSizes = array<i32: 1, 1, 1, 0>/operandSegmentSizes = array<i32: 1, 1, 1, 1>/'
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for p in range(N):
        v: f32 = cpu.get(x, p)
        cpu.put(y, v, p)
#> 2:1 error mlir.masked: `vector.transfer_read` has a mask
#>   note: line 7 of what mlir-opt printed
#>   hint: take the pass that makes masks out of `pipeline`

#: vectors outside of their loop
#! form: affine
#! pipeline: builtin.module(func.func(affine-super-vectorize{virtual-vector-size=4},affine-loop-unroll{unroll-full=true unroll-full-threshold=2}))
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for p in range(8):
        v: f32 = cpu.get(x, p)
        cpu.put(y, v, p)
#> 2:1 error mlir.stray-vector: `vector.transfer_read` on vectors stands outside of a loop over vectors
#>   note: line 6 of what mlir-opt printed
#>   hint: take the pass that makes vectors out of `pipeline`, or the one that unrolls their loop

#: lanes that store what another one loads
#! form: affine
#! pipeline: builtin.module(func.func(affine-super-vectorize{virtual-vector-size=4}))
#! prints: sed 's/"vector.transfer_read"(%arg1/"vector.transfer_read"(%arg2/'
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for p in range(N):
        v: f32 = cpu.get(x, p + 1)
        cpu.put(y, v, p)
#> 2:1 error mlir.shared-lanes: lanes of one vector may access the same element by `vector.transfer_read`
#>   note: line 8 of what mlir-opt printed
#>   hint: take `affine-super-vectorize` out of `pipeline`, or store to another buffer

#: a buffer that a condition chooses
#! prints: sed 's/^ *%5 = "arith.select".*/&\n%77 = "arith.select"(%4, %arg1, %arg2) : (i1, memref<?xf32>, memref<?xf32>) -> memref<?xf32>/'
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for p in range(N):
        v: f32 = cpu.get(x, p)
        m: bool_ = cpu.lt(v, 0.5)
        w: f32 = cpu.where(m, v, 0.5)
        cpu.put(y, w, p)
#> 2:1 error mlir.chosen-buffer: `arith.select` chooses between buffers
#>   note: line 12 of what mlir-opt printed
#>   hint: take the pass that makes it out of `pipeline`

#: an extent of a dimension that there is not
#! prints: sed 's/^ *%0 = "arith.constant".*/&\n%77 = "arith.constant"() <{value = 7 : index}> : () -> index\n%78 = "memref.dim"(%arg0, %77) : (memref<?x?xf32>, index) -> index/; s/"memref.load"(%\([a-z0-9]*\), %[a-z0-9]*,/"memref.load"(%\1, %78,/'
@kernel
def f(x: In[Tensor[f32, N, M]], y: InOut[Tensor[f32, N, M]]) -> None:
    for p in range(8):
        for q in range(8):
            v: f32 = cpu.get(x, p, q)
            cpu.put(y, v, p, q)
#> 2:1 error mlir.unknown-extent: the extent that `memref.dim` reads is not known
#>   note: line 6 of what mlir-opt printed
#>   hint: take the pass that makes it out of `pipeline`

#: a condition of ints as a scalar
#! prints: sed 's/^ *%6 = .*/%77 = "arith.cmpi"(%arg3, %3) <{predicate = 2 : i64}> : (index, index) -> i1\n%6 = "arith.extui"(%77) : (i1) -> i32/'
@kernel
def f(x: In[Tensor[f32, N]], z: InOut[Tensor[i32, N]]) -> None:
    for p in range(N):
        v: f32 = cpu.get(x, p)
        m: bool_ = cpu.lt(v, 0.5)
        n: i32 = cpu.cast(m, i32)
        if p < 4:
            cpu.put(z, n, p)
#> 2:1 error mlir.mixed-condition: `arith.extui` uses a condition of ints as a scalar, or a scalar as a condition of ints
#>   note: line 13 of what mlir-opt printed
#>   hint: take the pass that makes it out of `pipeline`

#: results in each other's names
#! claim: loops
#! pipeline: builtin.module()
#! prints: sed 's/"func.return"(%2#0, %2#1)/"func.return"(%2#1, %2#0)/'
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    a: f32 = cpu.get(x, 0)
    b: f32 = cpu.get(x, 1)
    for p in range(N):
        t: f32 = a
        a = b
        b = t
        cpu.put(y, a, p)
    cpu.put(y, a, 0)
    cpu.put(y, b, 1)
#> 2:1 error mlir.swapped-results: `func.return` gives results in each other's names
#>   note: line 11 of what mlir-opt printed
#>   hint: take the pass that makes it out of `pipeline`

#: results in their own names
#! claim: loops
#! pipeline: builtin.module()
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    a: f32 = cpu.get(x, 0)
    b: f32 = cpu.get(x, 1)
    for p in range(N):
        t: f32 = a
        a = b
        b = t
        cpu.put(y, a, p)
    cpu.put(y, a, 0)
    cpu.put(y, b, 1)
#> compiles

#: a view with a stride
#! form: linalg
#! pipeline: builtin.module()
#! prints: sed 's/static_strides = array<i64: 1, 1>/static_strides = array<i64: 1, 2>/'
@kernel
def f(x: In[Tensor[f32, N, 9]], y: InOut[Tensor[f32, N, 8]]) -> None:
    for p in range(N):
        for q in range(8):
            v: f32 = cpu.get(x, p, q)
            cpu.put(y, v, p, q)
#> 2:1 error mlir.strided-view: Python has no form for the view of memory that `memref.subview` has
#>   note: line 5 of what mlir-opt printed
#>   hint: take the pass that makes it out of `pipeline`

#: a condition of ints that a loop hands on
#! pipeline: builtin.module()
#! prints: sed 's/"scf.yield"(%9) : (i1) -> () loc("4:")/%77 = "arith.ori"(%arg5, %9) : (i1, i1) -> i1\n"scf.yield"(%77) : (i1) -> ()/'
@kernel
def f(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for p in range(N):
        v: f32 = cpu.get(x, p)
        m: bool_ = cpu.lt(v, 0.5)
        b = cpu.holds(m)
        for q in range(4):
            if p < q:
                k: f32 = cpu.get(y, q)
                m = cpu.lt(k, 0.5)
                b = cpu.holds(m)
            if b:
                cpu.put(y, v, q)
#> 2:1 error mlir.carried-condition: `scf.yield` hands on a condition of ints
#>   note: line 30 of what mlir-opt printed
#>   hint: take the pass that makes it out of `pipeline`
