import htp
from htp import In, InOut, Out, bf16, f32, i8, i16, i32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, cast, exp, full, kernel, matmul, maximum, reduce_max, reduce_sum, reshape, tiles, transpose, zeros

M = 256
N = 256
K = 256

#: no blocks of what is summed up
@kernel
def f(x: In[Tensor[bf16, M, 64]], w: In[Tensor[bf16, 64, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 32):
        for j in tiles(N, 32):
            y[i, j] = matmul(x[i, :], w[:, j], zeros(f32, i, j))
#> 5:23 note aie.product-unblocked: this product keeps the program's own blocks: no loop goes through blocks of the dimension that is summed up
#>   hint: write `acc = zeros(f32, i, j)` and `for k in tiles(K, 64)`, with `acc = matmul(a[i, k], b[k, j], acc)`
#> 5:23 note aie.matrix-units: the compiler of MLIR-AIE v1.0 does not bring this product, of bf16, to the matrix units: it will be slower than is predicted
#>   hint: set `mlir_aie: 2608` for products of i8 and bf16, or call a function in C++ that has `aie::mmul`: `@external`

#: an operand that is computed
@kernel
def f(x: In[Tensor[bf16, M, K]], w: In[Tensor[bf16, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 32):
        for j in tiles(N, 32):
            acc = zeros(f32, i, j)
            for k in tiles(K, 32):
                acc = matmul(maximum(x[i, k], 0.0), w[k, j], acc)
            y[i, j] = acc
#> 7:17 note aie.product-computed: this product keeps the program's own blocks: `maximum` is computed before it is multiplied
#>   hint: compute it in a kernel of its own, which stores it, and load it here
#> 7:17 note aie.matrix-units: the compiler of MLIR-AIE v1.0 does not bring this product, of bf16, to the matrix units: it will be slower than is predicted
#>   hint: set `mlir_aie: 2608` for products of i8 and bf16, or call a function in C++ that has `aie::mmul`: `@external`

#: two results
@kernel
def f(x: In[Tensor[bf16, 64, K]], w: In[Tensor[bf16, K, 64]], y: Out[Tensor[f32, 64, 64]], z: Out[Tensor[f32, 64, 64]]) -> None:
    for i in tiles(64, 16):
        for j in tiles(64, 64):
            acc = zeros(f32, i, j)
            for k in tiles(K, 16):
                acc = matmul(x[i, k], w[k, j], acc)
            y[i, j] = acc
            z[i, j] = acc
#> 7:17 note aie.matrix-units: the compiler of MLIR-AIE v1.0 does not bring this product, of bf16, to the matrix units: it will be slower than is predicted
#>   hint: set `mlir_aie: 2608` for products of i8 and bf16, or call a function in C++ that has `aie::mmul`: `@external`
#> 9:13 note aie.product-stores: this product keeps the program's own blocks: `z` is a second tensor that is stored
#>   hint: store it in a second kernel

#: two products with one accumulator
@kernel
def f(x: In[Tensor[bf16, M, K]], w: In[Tensor[bf16, K, N]], v: In[Tensor[bf16, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 32):
        for j in tiles(N, 32):
            acc = zeros(f32, i, j)
            for k in tiles(K, 32):
                acc = matmul(x[i, k], w[k, j], acc)
                acc = matmul(x[i, k], v[k, j], acc)
            y[i, j] = acc
#> 7:17 note aie.matrix-units: the compiler of MLIR-AIE v1.0 does not bring this product, of bf16, to the matrix units: it will be slower than is predicted
#>   hint: set `mlir_aie: 2608` for products of i8 and bf16, or call a function in C++ that has `aie::mmul`: `@external`
#> 8:17 note aie.shared-accumulator: this product keeps the program's own blocks: `acc` accumulates several products
#>   hint: give each product an accumulator of its own, and add them behind the loop: `acc_2 = zeros(f32, i, j)`

#: an accumulator each
@kernel
def f(x: In[Tensor[bf16, M, K]], w: In[Tensor[bf16, K, N]], v: In[Tensor[bf16, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 32):
        for j in tiles(N, 32):
            acc = zeros(f32, i, j)
            acc_2 = zeros(f32, i, j)
            for k in tiles(K, 32):
                acc = matmul(x[i, k], w[k, j], acc)
                acc_2 = matmul(x[i, k], v[k, j], acc_2)
            y[i, j] = acc + acc_2
#> 8:17 note aie.product-blocks: this product goes by blocks of 64 by 64, 32 deep on 4 columns of 4 cores of npu1: predicted are 18 % of what its cores could multiply, by the host's memory
#>   hint: `columns` of `aie.spread` is how many columns it may have; a loop bound to `core` keeps its blocks
#> 8:17 note aie.matrix-units: the compiler of MLIR-AIE v1.0 does not bring this product, of bf16, to the matrix units: it will be slower than is predicted
#>   hint: set `mlir_aie: 2608` for products of i8 and bf16, or call a function in C++ that has `aie::mmul`: `@external`

#: columns that go by no blocks
@kernel
def f(x: In[Tensor[bf16, M, K]], w: In[Tensor[bf16, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 32):
        acc = zeros(f32, i, N)
        for k in tiles(K, 32):
            acc = matmul(x[i, k], w[k, :], acc)
        y[i, :] = acc
#> 6:13 note aie.product-loops: this product keeps the program's own blocks: its rows, its columns and what is summed up do not each go by blocks of a loop
#>   hint: write a loop over blocks of each: `for i in tiles(M, 32)`, `for j in tiles(N, 32)`, `for k in tiles(K, 64)`
#> 6:13 note aie.matrix-units: the compiler of MLIR-AIE v1.0 does not bring this product, of bf16, to the matrix units: it will be slower than is predicted
#>   hint: set `mlir_aie: 2608` for products of i8 and bf16, or call a function in C++ that has `aie::mmul`: `@external`

#: products of two depths
@kernel
def f(x: In[Tensor[bf16, M, K]], w: In[Tensor[bf16, K, N]], u: In[Tensor[bf16, M, 128]], v: In[Tensor[bf16, 128, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 32):
        for j in tiles(N, 32):
            acc = zeros(f32, i, j)
            for k in tiles(K, 32):
                acc = matmul(x[i, k], w[k, j], acc)
            more = zeros(f32, i, j)
            for l in tiles(128, 32):
                more = matmul(u[i, l], v[l, j], more)
            y[i, j] = acc + more
#> 7:17 note aie.matrix-units: the compiler of MLIR-AIE v1.0 does not bring this product, of bf16, to the matrix units: it will be slower than is predicted
#>   hint: set `mlir_aie: 2608` for products of i8 and bf16, or call a function in C++ that has `aie::mmul`: `@external`
#> 10:17 note aie.unequal-products: this product keeps the program's own blocks: its products are of different sizes or dtypes
#>   hint: write a kernel for each

#: a count beside the product
@kernel
def f(x: In[Tensor[bf16, M, K]], w: In[Tensor[bf16, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 32):
        for j in tiles(N, 32):
            acc = zeros(f32, i, j)
            n = zeros(f32, 1, 1)
            for k in tiles(K, 32):
                acc = matmul(x[i, k], w[k, j], acc)
                n = n + 1.0
            y[i, j] = acc * n
#> 8:17 note aie.matrix-units: the compiler of MLIR-AIE v1.0 does not bring this product, of bf16, to the matrix units: it will be slower than is predicted
#>   hint: set `mlir_aie: 2608` for products of i8 and bf16, or call a function in C++ that has `aie::mmul`: `@external`
#> 9:17 note aie.product-beside: this product keeps the program's own blocks: `aie.add(n, n, 1.0)` stands in the loop of the product
#>   hint: do it in a kernel of its own

#: a residual
@kernel
def f(x: In[Tensor[bf16, M, K]], w: In[Tensor[bf16, K, N]], r: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 32):
        for j in tiles(N, 32):
            acc = zeros(f32, i, j)
            for k in tiles(K, 32):
                acc = matmul(x[i, k], w[k, j], acc)
            y[i, j] = acc + r[i, j]
#> 7:17 note aie.matrix-units: the compiler of MLIR-AIE v1.0 does not bring this product, of bf16, to the matrix units: it will be slower than is predicted
#>   hint: set `mlir_aie: 2608` for products of i8 and bf16, or call a function in C++ that has `aie::mmul`: `@external`
#> 8:29 note aie.product-residual: this product keeps the program's own blocks: `r` is as large as the result
#>   hint: store the product to a tensor of its own, `sums`, and add `r` in a second kernel: `y[i, :] = sums[i, :] + r[i, :]`

#: a result that is updated
@kernel
def f(x: In[Tensor[bf16, M, K]], w: In[Tensor[bf16, K, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 32):
        for j in tiles(N, 32):
            acc = y[i, j]
            for k in tiles(K, 32):
                acc = matmul(x[i, k], w[k, j], acc)
            y[i, j] = acc
#> 5:13 note aie.product-residual: this product keeps the program's own blocks: `y` is as large as the result
#>   hint: begin with `zeros(f32, i, j)`, store the product to a tensor of its own, `sums`, and add `y` in a second kernel: `y[i, :] = sums[i, :] + y[i, :]`
#> 7:17 note aie.matrix-units: the compiler of MLIR-AIE v1.0 does not bring this product, of bf16, to the matrix units: it will be slower than is predicted
#>   hint: set `mlir_aie: 2608` for products of i8 and bf16, or call a function in C++ that has `aie::mmul`: `@external`

#: a number for each product of a batch
@kernel
def f(a: In[Tensor[i8, 3, 64, 64]], b: In[Tensor[i8, 3, 64, 64]], s: In[Tensor[i32, 3, 1, 1]], c: Out[Tensor[i32, 3, 64, 64]]) -> None:
    for h in tiles(3, 1):
        for i in tiles(64, 16):
            for j in tiles(64, 16):
                acc = zeros(i32, h, i, j)
                for k in tiles(64, 16):
                    acc = matmul(a[h, i, k], b[h, k, j], acc)
                c[h, i, j] = acc + s[h, :, :]
#> 8:21 note aie.matrix-units: the compiler of MLIR-AIE v1.0 does not bring this product, of i8, to the matrix units: it will be slower than is predicted
#>   hint: set `mlir_aie: 2608` for products of i8 and bf16, or call a function in C++ that has `aie::mmul`: `@external`
#> 9:36 note aie.product-operand: this product keeps the program's own blocks: `s` has no element for each row, for each column or for all of the result
#>   hint: compute with it in a kernel of its own

#: a product of a batch, without it
@kernel
def f(a: In[Tensor[i8, 3, 64, 64]], b: In[Tensor[i8, 3, 64, 64]], c: Out[Tensor[i32, 3, 64, 64]]) -> None:
    for h in tiles(3, 1):
        for i in tiles(64, 16):
            for j in tiles(64, 16):
                acc = zeros(i32, h, i, j)
                for k in tiles(64, 16):
                    acc = matmul(a[h, i, k], b[h, k, j], acc)
                c[h, i, j] = acc
#> 8:21 note aie.product-blocks: this product goes by blocks of 16 by 64, 32 deep on 4 columns of 1 cores of npu1: predicted are 0 % of what its cores could multiply, by the streams of the operands
#>   hint: `columns` of `aie.spread` is how many columns it may have; a loop bound to `core` keeps its blocks
#> 8:21 note aie.matrix-units: the compiler of MLIR-AIE v1.0 does not bring this product, of i8, to the matrix units: it will be slower than is predicted
#>   hint: set `mlir_aie: 2608` for products of i8 and bf16, or call a function in C++ that has `aie::mmul`: `@external`

#: the largest of the columns' factors
@kernel
def f(x: In[Tensor[bf16, M, K]], w: In[Tensor[bf16, K, N]], s: In[Tensor[f32, 1, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 32):
        for j in tiles(N, 32):
            acc = zeros(f32, i, j)
            for k in tiles(K, 32):
                acc = matmul(x[i, k], w[k, j], acc)
            y[i, j] = acc * reduce_max(s[:, j], axis=1)
#> 7:17 note aie.matrix-units: the compiler of MLIR-AIE v1.0 does not bring this product, of bf16, to the matrix units: it will be slower than is predicted
#>   hint: set `mlir_aie: 2608` for products of i8 and bf16, or call a function in C++ that has `aie::mmul`: `@external`
#> 8:29 note aie.product-whole-rows: this product keeps the program's own blocks: `aie.reduce_max(reduce_max, s_tile, 1)` is not done with its elements one by one
#>   hint: store the product, and do that in a kernel of its own

#: rows that are summed up
@kernel
def f(x: In[Tensor[bf16, M, K]], w: In[Tensor[bf16, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 32):
        for j in tiles(N, 32):
            acc = zeros(f32, i, j)
            for k in tiles(K, 32):
                acc = matmul(x[i, k], w[k, j], acc)
            y[i, j] = acc - reduce_sum(acc, axis=1)
#> 7:17 note aie.tile-in-rows: this product goes by vectors: `aie.reduce_sum(reduce_sum, acc, 1)` has a tile of it in rows
#>   hint: do that in a second kernel

#: a product of f32
@kernel
def f(x: In[Tensor[f32, M, 64]], w: In[Tensor[f32, 64, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 32):
        for j in tiles(N, 32):
            y[i, j] = matmul(x[i, :], w[:, j], zeros(f32, i, j))
#> 5:23 note aie.unit-dtype: this product goes by vectors: matrix units multiply i8, i16 and bf16, and this is f32
#>   hint: cast the operands, `cast(x, bf16)`, and accumulate in f32

#: cast to bf16
@kernel
def f(x: In[Tensor[f32, M, 64]], w: In[Tensor[f32, 64, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 32):
        for j in tiles(N, 32):
            y[i, j] = matmul(cast(x[i, :], bf16), cast(w[:, j], bf16), zeros(f32, i, j))
#> 5:23 note aie.product-unblocked: this product keeps the program's own blocks: no loop goes through blocks of the dimension that is summed up
#>   hint: write `acc = zeros(f32, i, j)` and `for k in tiles(K, 64)`, with `acc = matmul(a[i, k], b[k, j], acc)`
#> 5:23 note aie.matrix-units: the compiler of MLIR-AIE v1.0 does not bring this product, of bf16, to the matrix units: it will be slower than is predicted
#>   hint: set `mlir_aie: 2608` for products of i8 and bf16, or call a function in C++ that has `aie::mmul`: `@external`

#: a product of i32
@kernel
def f(x: In[Tensor[i32, M, 64]], w: In[Tensor[i32, 64, N]], y: Out[Tensor[i32, M, N]]) -> None:
    for i in tiles(M, 32):
        for j in tiles(N, 32):
            y[i, j] = matmul(x[i, :], w[:, j], zeros(i32, i, j))
#> 5:23 note aie.unit-dtype: this product goes by vectors: matrix units multiply i8, i16 and bf16, and this is i32
#>   hint: use i8 or i16, and accumulate in i32

#: an accumulator of i16
@kernel
def f(x: In[Tensor[i16, M, 64]], w: In[Tensor[i16, 64, N]], y: Out[Tensor[i16, M, N]]) -> None:
    for i in tiles(M, 32):
        for j in tiles(N, 32):
            y[i, j] = matmul(x[i, :], w[:, j], zeros(i16, i, j))
#> 5:23 note aie.unit-accumulator: this product goes by vectors: of i16, it is accumulated in i16, and matrix units accumulate in i32
#>   hint: begin with `zeros(i32, i, j)`, and cast the result

#: an accumulator of i32, cast to i16
@kernel
def f(x: In[Tensor[i16, M, K]], w: In[Tensor[i16, K, N]], y: Out[Tensor[i16, M, N]]) -> None:
    for i in tiles(M, 32):
        for j in tiles(N, 32):
            acc = zeros(i32, i, j)
            for k in tiles(K, 32):
                acc = matmul(x[i, k], w[k, j], acc)
            y[i, j] = cast(acc, i16)
#> 7:17 note aie.product-blocks: this product goes by blocks of 64 by 64, 20 deep on 4 columns of 4 cores of npu1: predicted are 21 % of what its cores could multiply, by the cores
#>   hint: `columns` of `aie.spread` is how many columns it may have; a loop bound to `core` keeps its blocks
#> 7:17 note aie.matrix-units: the compiler of MLIR-AIE v1.0 does not bring this product, of i16, to the matrix units: it will be slower than is predicted
#>   hint: multiply i8 or bf16 with `mlir_aie: 2608`, or call a function in C++ that has `aie::mmul`: `@external`

#: blocks that are no multiples
@pipeline
def f(a: In[Tensor[i8, 64, 60]], b: In[Tensor[i8, 60, 64]], c: Out[Tensor[i32, 64, 64]]) -> None:
    @process
    def one() -> None:
        for i in tiles(64, 16):
            for j in tiles(64, 16):
                acc = zeros(i32, i, j)
                for k in tiles(60, 20):
                    acc = matmul(a[i, k], b[k, j], acc)
                c[i, j] = acc
#> 9:21 note aie.unit-multiples: this product goes by vectors: of i8, its tiles are 16 by 16, 20 deep, and blocks of matrix units 4 by 8, 8 deep
#>   hint: choose blocks that are: `tiles(M, 8)`, `tiles(N, 16)`, `tiles(K, 32)`; a dimension that is no longer needs such a size

#: a maximum of rows in a pipeline
@pipeline
def f(a: In[Tensor[i8, 64, 64]], b: In[Tensor[i8, 64, 64]], c: Out[Tensor[i32, 64, 64]]) -> None:
    @process
    def one() -> None:
        for i in tiles(64, 16):
            for j in tiles(64, 16):
                acc = zeros(i32, i, j)
                for k in tiles(64, 32):
                    acc = matmul(a[i, k], b[k, j], acc)
                c[i, j] = acc - reduce_max(acc, axis=1)
#> 9:21 note aie.tile-in-rows: this product goes by vectors: `aie.reduce_max(reduce_max, acc, 1)` has a tile of it in rows
#>   hint: do that in a second kernel

#: a transposed operand beside a residual
@kernel
def f(a: In[Tensor[i16, 64, 64]], b: In[Tensor[i16, 64, 64]], r: In[Tensor[i32, 64, 64]], c: Out[Tensor[i32, 64, 64]]) -> None:
    for i in tiles(64, 16):
        for j in tiles(64, 32):
            acc = zeros(i32, i, j)
            for k in tiles(64, 32):
                acc = matmul(a[i, k], transpose(b[j, k]), acc)
            c[i, j] = acc + r[i, j]
#> 7:17 note aie.transposed-tile: this product goes by vectors: `aie.transpose(transpose, b_tile)` has a tile of it in rows
#>   hint: add a tensor as large as the result in a second kernel, or hand the operand over transposed

#: a bias for which a core has no channel
@pipeline
def f(a: In[Tensor[i8, 64, 64]], b: In[Tensor[i8, 64, 64]], bias: In[Tensor[i32, 1, 64]], c: Out[Tensor[i32, 64, 64]]) -> None:
    @process
    def one() -> None:
        for i in tiles(64, 16):
            for j in tiles(64, 16):
                acc = zeros(i32, i, j)
                for k in tiles(64, 32):
                    acc = matmul(a[i, k], b[k, j], acc)
                c[i, j] = acc + bias[:, j]
#> 9:21 note aie.blocks-exceed: this product goes by vectors: of i8, its tiles in blocks would be refused, `aie.channels`
#>   note: 3 input channels of the core of `one` are wanted, and it has 2: `a_in`, `b_in`, `bias_in`
#>   hint: let another process load what is not multiplied, and do what it is for, with a channel between

#: a product of a product
@pipeline
def f(a: In[Tensor[bf16, 64, 64]], b: In[Tensor[bf16, 64, 64]], w: In[Tensor[bf16, 64, 64]], c: Out[Tensor[f32, 64, 64]]) -> None:
    first = channel(bf16, tiles(64, 16), 64, capacity=2)

    @process
    def one() -> None:
        for i in tiles(64, 16):
            acc = matmul(a[i, :], b[:, :], zeros(f32, i, 64))
            first.put(cast(acc, bf16))

    @process
    def two() -> None:
        for i in tiles(64, 16):
            c[i, :] = matmul(first.get(), w[:, :], zeros(f32, i, 64))
#> 8:13 note aie.two-blocks: this product goes by vectors: one of its tiles is to lie in blocks of 4 by 8, and in blocks of 4 by 4 for another product
#>   hint: do one of these products in a second kernel

#: six rows of a tile that is added
@pipeline
def units_beside(a: In[Tensor[bf16, 32, 16]], b: In[Tensor[bf16, 16, N]], bias: In[Tensor[f32, N]], c: Out[Tensor[f32, 32, N]], d: Out[Tensor[f32, 12, N]]) -> None:
    sums = channel(f32, 16, N, capacity=2)

    @process
    def product() -> None:
        for t in range(2):
            sums.put(matmul(a[16 * t : 16 * t + 16, :], b[:, :], zeros(f32, 16, N)))

    @process
    def added() -> None:
        row = bias[:]
        for t in range(2):
            c[16 * t : 16 * t + 16, :] = sums.get() + row
            d[6 * t : 6 * t + 6, :] = zeros(f32, 6, N) + row
#> 8:22 note aie.uneven-tile: this product goes by vectors: a tile of 6 by 256 that shares rows or columns with it is not made of whole blocks of 4 by 4
#>   hint: choose blocks that are multiples of these, in whatever is computed with its accumulator and operands

#: a reshape of what is added up
@pipeline
def f(a: In[Tensor[i8, 64, 64]], b: In[Tensor[i8, 64, 64]], c: Out[Tensor[i32, 1, 64, 64]]) -> None:
    @process
    def one() -> None:
        for i in tiles(64, 16):
            for j in tiles(64, 16):
                acc = zeros(i32, i, j)
                for k in tiles(64, 32):
                    acc = matmul(a[i, k], b[k, j], acc)
                t = reshape(acc, 1, i, j)
                c[:, i, j] = t + t
#> 9:21 note aie.reshaped-operand: this product goes by vectors: `aie.copy(t, acc)` is between tiles of other extents
#>   hint: load it as it is multiplied, without `reshape`

#: four tensors for a core
@pipeline
def f(a: In[Tensor[i8, 64, 64]], b: In[Tensor[i8, 64, 64]], bias: In[Tensor[i32, 1, 64]], by: In[Tensor[i8, 64, 1]], c: Out[Tensor[i32, 64, 64]]) -> None:
    @process
    def one() -> None:
        for i in tiles(64, 16):
            for j in tiles(64, 16):
                acc = zeros(i32, i, j)
                for k in tiles(64, 64):
                    acc = matmul(a[i, k], b[k, j], acc)
                c[i, j] = acc * cast(by[i, :], i32) + bias[:, j]
#> 9:21 note aie.packed-operand: this product goes by vectors: a core loads more tensors than it has channels, and what comes together has no blocks
#>   hint: let another process load some of them, or do what they are for, with a channel between

#: two of them for another core
@pipeline
def f(a: In[Tensor[i8, 64, 64]], b: In[Tensor[i8, 64, 64]], bias: In[Tensor[i32, 1, 64]], by: In[Tensor[i8, 64, 1]], c: Out[Tensor[i32, 64, 64]]) -> None:
    sums = channel(i32, tiles(64, 16), tiles(64, 16), capacity=2)

    @process
    def one() -> None:
        for i in tiles(64, 16):
            for j in tiles(64, 16):
                acc = zeros(i32, i, j)
                for k in tiles(64, 64):
                    acc = matmul(a[i, k], b[k, j], acc)
                sums.put(acc)

    @process
    def two() -> None:
        for i in tiles(64, 16):
            for j in tiles(64, 16):
                c[i, j] = sums.get() * cast(by[i, :], i32) + bias[:, j]
#> 12:26 error csp.item-shape: `sums` carries tiles of (j, j), and this has (i, j)
#>   hint: let the channel have the item's extents, or put a tile of the channel's
#> 18:40 error tile.shape-mismatch: extents `two_j` and `two_i` differ at dimension 0 of `tile.mul`
#>   hint: index both operands with the same block, or make one extent 1

#: two results of a whole array
@kernel
def f(x: In[Tensor[bf16, M, K]], w: In[Tensor[bf16, K, N]], y: Out[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 32):
        for j in tiles(N, 32):
            acc = zeros(f32, i, j)
            for k in tiles(K, 32):
                acc = matmul(x[i, k], w[k, j], acc)
            y[i, j] = acc
            z[i, j] = acc * 2.0
#> 7:17 note aie.unit-layout: this product goes by vectors: of bf16, its tiles do not all lie in blocks of 4 by 4, 8 deep
#>   hint: choose smaller blocks, or use a kernel of one product, which is cut into blocks of the units
