#: compute_at in itself
@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = exp(x[i, :])
    for j in P(M):
        z[j, :] = y[j, :] + 1.0


@schedule(w)
def s(s: Schedule) -> None:
    s.compute_at("i", at="i")
#> 11:26 error wsp.named-twice: loop `i` is named twice
#>   hint: name each loop once

#: compute_at in a loop before
@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = exp(x[i, :])
    for j in P(M):
        z[j, :] = y[j, :] + 1.0


@schedule(w)
def s(s: Schedule) -> None:
    s.compute_at("j", at="i")
#> 11:5 error wsp.not-before: loop `j` does not stand before loop `i`, in the same block
#>   5:5 what is computed
#>   3:5 where it is needed
#>   hint: name the loop that computes first, and as `at=` the one that needs it; put what is outside in step by step

#: compute_at in a loop that is not beside
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, K)
    for p in P(M):
        for q in P(K):
            t = exp(x[p, q])
            h[p, q] = t * 2.0
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(h[i, k], b[k, j], acc)
            c[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.compute_at("p", at="j")
#> 18:5 error wsp.not-before: loop `p` does not stand before loop `j`, in the same block
#>   4:5 what is computed
#>   9:9 where it is needed
#>   hint: name the loop that computes first, and as `at=` the one that needs it; put what is outside in step by step

#: compute_at in no loop
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, K)
    for p in P(M):
        for q in P(K):
            t = exp(x[p, q])
            h[p, q] = t * 2.0
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(h[i, k], b[k, j], acc)
            c[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.compute_at("p", at="o")
#> 18:26 error wsp.unknown-loop: `w` has no loop `o`
#>   hint: did you mean `p`?

#: compute_at of an ordered loop
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, K)
    for p in seq(M):
        for q in P(K):
            t = exp(x[p, q])
            h[p, q] = t * 2.0
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(h[i, k], b[k, j], acc)
            c[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.compute_at("p", at="i")
#> 18:18 error wsp.not-moved-form: loop `p` cannot be computed in another: it is ordered, or says how it runs
#>   4:14 so it is written here
#>   hint: say how it runs behind `compute_at`, or use `P` where iterations are independent

#: compute_at of a parallel loop
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, K)
    for p in P(M):
        for q in P(K):
            t = exp(x[p, q])
            h[p, q] = t * 2.0
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(h[i, k], b[k, j], acc)
            c[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.parallel("p")
    s.compute_at("p", at="i")
#> 19:18 error wsp.not-moved-form: loop `p` cannot be computed in another: it is ordered, or says how it runs
#>   4:14 so it is written here
#>   hint: say how it runs behind `compute_at`, or use `P` where iterations are independent

#: compute_at of other blocks
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, K)
    for p in P(M):
        for q in P(K):
            t = exp(x[p, q])
            h[p, q] = t * 2.0
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(h[i, k], b[k, j], acc)
            c[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.tile("p", 64)
    s.tile("i", 16)
    s.compute_at("p", at="i")
#> 20:5 error wsp.different-ranges: loops `p` and `i` do not run over the same blocks
#>   4:14 one range
#>   8:14 the other
#>   hint: what is computed runs over the same extent, in blocks that are not larger

#: compute_at of another extent
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, K)
    for p in P(K):
        for q in P(M):
            t = exp(x[q, p])
            h[q, p] = t * 2.0
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(h[i, k], b[k, j], acc)
            c[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.compute_at("p", at="i")
#> 18:5 error wsp.different-ranges: loops `p` and `i` do not run over the same blocks
#>   4:14 one range
#>   8:14 the other
#>   hint: what is computed runs over the same extent, in blocks that are not larger

#: compute_at of what is needed whole
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, K)
    for p in P(M):
        for q in P(K):
            t = exp(x[p, q])
            h[p, q] = t * 2.0
    for i in seq(M):
        for j in P(N):
            acc = zeros(f32, M, j)
            for k in seq(K):
                acc = matmul(h[:, k], b[k, j], acc)
            c[:, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.compute_at("p", at="i")
#> 18:5 error wsp.not-moved: loop `p` cannot be computed in loop `i`: they depend on each other by `h`
#>   7:13 written here
#>   12:30 read here
#>   hint: what one writes and the other touches must be indexed by the loops' own blocks, in the same dimension

#: compute_at past what reads it
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: InOut[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, K)
    for p in P(M):
        for q in P(K):
            t = exp(x[p, q])
            h[p, q] = t * 2.0
    c[:, 0] = h[:, 0]
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(h[i, k], b[k, j], acc)
            c[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.compute_at("p", at="i")
#> 19:5 error wsp.not-moved: loop `p` cannot be computed in loop `i`: they depend on each other by `h`
#>   7:13 written here
#>   8:15 read here
#>   hint: what one writes and the other touches must be indexed by the loops' own blocks, in the same dimension

#: compute_at with what is around blocks whose size is open
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M - 1, N]]) -> None:
    h = buffer(f32, M, N)
    for p in P(M):
        h[p, :] = x[p, :] + 1.0
    for i in P(M - 1):
        y[i, :] = h[i, :] + h[i + 1, :]


@schedule(w)
def s(s: Schedule) -> None:
    s.compute_at("p", at="i")
#> 12:26 error wsp.open-loop: the blocks of loop `i` have no size yet, and `compute_at` needs one
#>   6:14 its extent alone
#>   hint: say how big its blocks are first: `s.tile("i", 32)`

#: compute_at with what is around a block, where the size of one counts
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M - 1, N]]) -> None:
    h = buffer(f32, M, N)
    for p in P(M):
        h[p, :] = x[p, :] + full(f32, 1.0, p, N)
    for i in P(M - 1):
        y[i, :] = h[i, :] + h[i + 1, :]


@schedule(w)
def s(s: Schedule) -> None:
    s.tile("i", 16)
    s.compute_at("p", at="i")
#> 13:5 error wsp.not-moved: loop `p` cannot be computed in loop `i`: they depend on each other by `h`
#>   7:19 needs more than its own block
#>   5:44 not only indices depend on the block that is computed here
#>   hint: what is computed around a block is indexed by it, and does not depend on it otherwise

#: compute_at with what is around a block, into a buffer that has its space already
@workload
def w(x: In[Tensor[f32, M, 64]], y: Out[Tensor[f32, M - 1, 64]]) -> None:
    h = buffer(f32, M, 64)
    for p in P(M):
        h[p, :] = x[p, :] + 1.0
    for i in P(M - 1):
        y[i, :] = h[i, :] + h[i + 1, :]


@schedule(w)
def s(s: Schedule) -> None:
    s.tile("i", 16)
    s.buffer("h", space="memory")
    s.compute_at("p", at="i")
#> 14:5 error wsp.not-moved: loop `p` cannot be computed in loop `i`: they depend on each other by `h`
#>   3:5 its space is given before
#>   hint: say `buffer` of it behind `compute_at`

#: copies that a barrier behind them is for
@workload
def w(x: In[Tensor[f32, M, K]], y: Out[Tensor[f32, M, K]]) -> None:
    h = buffer(f32, M, K)
    for p in P(M):
        copy_async(h, x[p, :], p, whole)
    barrier()
    for i in P(M):
        y[i, :] = h[i, :] * 2.0


@schedule(w)
def s(s: Schedule) -> None:
    s.tile("p", 8)
    s.tile("i", 8)
    s.compute_at("p", at="i")
#> 15:5 error wsp.not-moved: loop `p` cannot be computed in loop `i`: they depend on each other by `h`
#>   5:9 written here
#>   6:5 read here
#>   hint: what one writes and the other touches must be indexed by the loops' own blocks, in the same dimension
