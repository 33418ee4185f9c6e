import htp
from htp import In, InOut, Out, bf16, bool_, f16, f32, f64, i8, i16, i32, i64, u8, u16, u32
from htp_tile import Tensor, Tile, argmax, argtopk, buffer, cast, exp, full, gather, index, iota, kernel, load, matmul, maximum, reduce_max, reduce_sum, reshape, scan_sum, tiles, topk, transpose, where, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


#: a product of as many columns as a size says
@kernel
def program(x: In[Tensor[f32, M, 64]], w: In[Tensor[f32, 64, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 16):
        y[i, :] = matmul(x[i, :], w[:, :])
#> 4:19 error a2a3.product-extent: `N` rows or columns of a product are made at once, and their number is not known
#>   hint: compute it in blocks whose size is known: `tiles(N, 128)`; or compile it for one size, `--set N=64`

#: in blocks
@kernel
def program(x: In[Tensor[f32, M, 64]], w: In[Tensor[f32, 64, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 16):
        for j in tiles(N, 128):
            y[i, j] = matmul(x[i, :], w[:, j])
#> compiles

#: two products over what is between them
@kernel
def program(x: In[Tensor[f32, M, 64]], a: In[Tensor[f32, 64, N]], c: In[Tensor[f32, N, 64]], y: Out[Tensor[f32, M, 64]]) -> None:
    for i in tiles(M, 16):
        h = maximum(matmul(x[i, :], a[:, :]), 0.0)
        y[i, :] = matmul(h, c[:, :])
#> 4:21 error a2a3.product-extent: `N` rows or columns of a product are made at once, and their number is not known
#>   hint: go over it in blocks, and add up the product that sums along it: `for j in tiles(N, 128): h = matmul(a[i, :], b[:, j]); acc = matmul(h, c[j, :], acc)`; or compile it for one size, `--set N=64`

#: two products, block by block
@kernel
def program(x: In[Tensor[f32, M, 64]], a: In[Tensor[f32, 64, N]], c: In[Tensor[f32, N, 64]], y: Out[Tensor[f32, M, 64]]) -> None:
    for i in tiles(M, 16):
        acc = zeros(f32, i, 64)
        for j in tiles(N, 128):
            h = maximum(matmul(x[i, :], a[:, j]), 0.0)
            acc = matmul(h, c[j, :], acc)
        y[i, :] = acc
#> compiles

#: a sum in half precision
@kernel
def program(a: In[Tensor[f16, M, K]], b: In[Tensor[f16, K, N]], c: Out[Tensor[f16, M, N]]) -> None:
    for i in tiles(M, 64):
        for j in tiles(N, 64):
            acc = zeros(f16, i, j)
            for k in tiles(K, 64):
                acc = matmul(a[i, k], b[k, j], acc)
            c[i, j] = acc
#> 7:17 error a2a3.feeds-itself: this product needs the result of a later one in the same loop
#>   hint: sum up in f32, `acc = zeros(f32, …)`, and round it where it is stored: `cast(acc, f16)`

#: a sum in f32
@kernel
def program(a: In[Tensor[f16, M, K]], b: In[Tensor[f16, K, N]], c: Out[Tensor[f16, M, N]]) -> None:
    for i in tiles(M, 64):
        for j in tiles(N, 64):
            acc = zeros(f32, i, j)
            for k in tiles(K, 64):
                acc = matmul(a[i, k], b[k, j], acc)
            c[i, j] = cast(acc, f16)
#> compiles

#: a product that feeds itself
@kernel
def program(x: In[Tensor[f32, M, 64]], w: In[Tensor[f32, 64, 64]], y: Out[Tensor[f32, M, 64]]) -> None:
    for i in tiles(M, 16):
        s = x[i, :]
        for k in range(3):
            s = exp(matmul(s, w[:, :]))
        y[i, :] = s
#> 6:21 error a2a3.feeds-itself: this product needs the result of a later one in the same loop
#>   hint: give the loop one product, and let what follows it wait for the loop's end: `s = matmul(x[i, k], y[k, :], s)`

#: products one after the other
@kernel
def program(x: In[Tensor[f32, M, 64]], w: In[Tensor[f32, 64, 64]], y: Out[Tensor[f32, M, 64]]) -> None:
    for i in tiles(M, 16):
        s = exp(matmul(x[i, :], w[:, :]))
        t = exp(matmul(s, w[:, :]))
        y[i, :] = exp(matmul(t, w[:, :]))
#> compiles

#: a mask between kernels
@kernel
def program(q: In[Tensor[f16, 4, 8, 64]], k: In[Tensor[f16, 4, N, 64]], lens: In[Tensor[i32, 4]], y: Out[Tensor[f32, 4, 8, 64]]) -> None:
    for b in range(4):
        o = zeros(f32, 1, 8, 64)
        for n in tiles(N, 64):
            if n.start < index(lens[b]):
                s = matmul(q[b, :, :], transpose(k[b, n, :]), zeros(f32, 1, 8, n)) * 0.125
                s = where(iota(i32, 1, 1, n, axis=2) < lens[b], s, -1e30)
                o = o + matmul(cast(s, f16), k[b, n, :], zeros(f32, 1, 8, 64))
        y[b, :, :] = o
#> 8:17 error a2a3.mask-between: the mask `s_1_new_1` goes from one kernel to another
#>   hint: let numbers go there, which are added: `s + where(mask, 0.0, -1e30)` for `where(mask, s, -1e30)`

#: numbers between kernels
@kernel
def program(q: In[Tensor[f16, 4, 8, 64]], k: In[Tensor[f16, 4, N, 64]], lens: In[Tensor[i32, 4]], y: Out[Tensor[f32, 4, 8, 64]]) -> None:
    for b in range(4):
        o = zeros(f32, 1, 8, 64)
        for n in tiles(N, 64):
            if n.start < index(lens[b]):
                s = matmul(q[b, :, :], transpose(k[b, n, :]), zeros(f32, 1, 8, n)) * 0.125
                s = s + where(iota(i32, 1, 1, n, axis=2) < lens[b], 0.0, -1e30)
                o = o + matmul(cast(s, f16), k[b, n, :], zeros(f32, 1, 8, 64))
        y[b, :, :] = o
#> compiles

#: as many iterations as an input says
@kernel
def program(n: In[Tensor[i32, M]], x: In[Tensor[f32, M, 64]], w: In[Tensor[f32, 64, 64]], y: Out[Tensor[f32, M, 64]]) -> None:
    for m in range(M):
        s = zeros(f32, 1, 64)
        often = index(n[m])
        for k in range(often):
            s = s + exp(matmul(x[m, :], w[:, :]) * 0.5)
        y[m, :] = s
#> 6:18 error a2a3.unbounded-loop: nothing bounds the number of iterations of `k`
#>   hint: index an input by it, or go over a size: `for k in range(N)`, and `if k < often:`

#: as many as a size says, at most
@kernel
def program(n: In[Tensor[i32, M]], x: In[Tensor[f32, M, 64]], w: In[Tensor[f32, 64, 64]], y: Out[Tensor[f32, M, 64]]) -> None:
    for m in range(M):
        s = zeros(f32, 1, 64)
        often = index(n[m])
        for k in range(N):
            if k < often:
                s = s + exp(matmul(x[m, :], w[:, :]) * 0.5)
        y[m, :] = s
#> compiles

#: blocks that do not divide those around them
@kernel
def program(x: In[Tensor[f32, M, 64]], w: In[Tensor[f32, 64, 64]], y: Out[Tensor[f32, M, 64]]) -> None:
    for i in tiles(M, 16):
        for j in tiles(i, 12):
            s = exp(matmul(w[:, :], w[:, :]))
            t = matmul(s, w[:, :])
            y[j, :] = x[j, :] + reduce_sum(exp(t), axis=0)
#> 4:18 error a2a3.inner-blocks: blocks of 12 do not divide the blocks around them
#>   hint: choose a size that divides the blocks around: `tiles(i, 4)` in `tiles(M, 8)`

#: blocks that do
@kernel
def program(x: In[Tensor[f32, M, 64]], w: In[Tensor[f32, 64, 64]], y: Out[Tensor[f32, M, 64]]) -> None:
    for i in tiles(M, 16):
        for j in tiles(i, 8):
            s = exp(matmul(w[:, :], w[:, :]))
            t = matmul(s, w[:, :])
            y[j, :] = x[j, :] + reduce_sum(exp(t), axis=0)
#> compiles

#: six dimensions between kernels
@kernel
def program(x: In[Tensor[f32, 2, 2, 2, 2, M, 64]], w: In[Tensor[f32, 64, 64]], y: Out[Tensor[f32, 2, 2, 2, 2, M, 64]]) -> None:
    for a in range(2):
        for b in range(2):
            for c in range(2):
                for d in range(2):
                    for i in tiles(M, 16):
                        y[a, b, c, d, i, :] = exp(matmul(reshape(x[a, b, c, d, i, :], i, 64), w[:, :]))
#> 8:51 error a2a3.memory-dimensions: `matmul` takes 6 dimensions between kernels, 5 available
#>   hint: write fewer loops around it

#: five
@kernel
def program(x: In[Tensor[f32, 2, 2, 2, M, 64]], w: In[Tensor[f32, 64, 64]], y: Out[Tensor[f32, 2, 2, 2, M, 64]]) -> None:
    for a in range(2):
        for b in range(2):
            for c in range(2):
                for i in tiles(M, 16):
                    y[a, b, c, i, :] = exp(matmul(reshape(x[a, b, c, i, :], i, 64), w[:, :]))
#> compiles

#: a value that both kinds of cores use in each iteration
@kernel
def program(x: In[Tensor[f32, M, 64]], w: In[Tensor[f32, 64, 64]], y: Out[Tensor[f32, M, 64]]) -> None:
    for i in tiles(M, 16):
        s = x[i, :]
        acc = zeros(f32, i, 64)
        for k in range(3):
            acc = matmul(s, w[:, :], acc)
            s = s * 0.5
        y[i, :] = acc
#> 4:9 error a2a3.carried: `s` goes from one iteration to the next on vector cores and on cube cores
#>   hint: compute what both use in a tile of the iteration: `h = s * 0.5`, `s = h + 0.0`

#: a value that is made anew in each iteration
@kernel
def program(x: In[Tensor[f32, M, 64]], w: In[Tensor[f32, 64, 64]], y: Out[Tensor[f32, M, 64]]) -> None:
    for i in tiles(M, 16):
        s = x[i, :]
        acc = zeros(f32, i, 64)
        for k in range(3):
            h = s * 0.5
            s = h + 0.0
            acc = matmul(h, w[:, :], acc)
        y[i, :] = acc
#> compiles

#: memory of a block that another task has
@kernel
def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M + 1, N)
    for i in tiles(M, 8):
        h[i + 1, :] = x[i, :]
        y[i, :] = exp(h[i + 1, :])
#> 5:9 error a2a3.task-index: the index `i + 1` reaches what another task stores
#>   hint: store and load it by the block alone: `h[i, :]`
#> 6:23 error a2a3.task-index: the index `i + 1` reaches what another task stores
#>   hint: store and load it by the block alone: `h[i, :]`

#: memory of a block
@kernel
def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M + 1, N)
    for i in tiles(M, 8):
        h[i, :] = x[i, :]
        y[i, :] = exp(h[i, :])
#> compiles

#: memory of a block that another task has, of a product
@kernel
def program(x: In[Tensor[f32, M, 64]], w: In[Tensor[f32, 64, 64]], y: Out[Tensor[f32, M, 64]]) -> None:
    h = buffer(f32, M + 16, 64)
    for i in tiles(M, 16):
        h[i + 16, :] = x[i, :] + 1.0
        y[i, :] = matmul(h[i + 16, :], w[:, :])
#> 5:9 error a2a3.task-index: the index `i + 16` reaches what another task stores
#>   hint: store and load it by the block alone: `h[i, :]`
#> 6:26 error a2a3.task-index: the index `i + 16` reaches what another task stores
#>   hint: store and load it by the block alone: `h[i, :]`
