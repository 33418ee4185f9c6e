#: unroll of an open loop
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.unroll("i")
#> 13:14 error wsp.not-counted: loop `i` cannot be unrolled: its trip count is not known
#>   3:14 what it runs over
#>   hint: unroll some iterations at a time: `s.unroll("i", factor=4)`

#: unroll of a loop over a dim
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.tile("i", 8)
    s.unroll("i")
#> 14:14 error wsp.not-counted: loop `i` cannot be unrolled: its trip count is not known
#>   3:14 what it runs over
#>   hint: unroll some iterations at a time: `s.unroll("i", factor=4)`

#: unroll of too many
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.tile("i", 1024, 8)
    s.unroll("i")
#> 14:14 error wsp.many-iterations: loop `i` cannot be unrolled: 128 iterations, at most 64 possible
#>   3:14 what it runs over
#>   hint: unroll some iterations at a time: `s.unroll("i", factor=4)`

#: unroll twice
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.tile("i", 64, 16)
    s.unroll("i")
    s.unroll("i")
#> 15:5 error wsp.bound-twice: how loop `i` runs is given twice: `unroll`
#>   3:5 here already
#>   hint: take one of them out

#: unroll of no loop
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.unroll("q")
#> 13:14 error wsp.unknown-loop: `w` has no loop `q`
#>   hint: did you mean `i`?

#: unroll some of a loop without a size
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.unroll("k", factor=4)
#> 13:14 error wsp.open-loop: the blocks of loop `k` have no size yet, and `unroll` needs one
#>   6:22 its size is open
#>   hint: give it one first: `s.tile("k", 64)`

#: unroll too many at a time
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.tile("k", 8)
    s.unroll("k", factor=100)
#> 14:14 error wsp.many-copies: loop `k` cannot be unrolled by 100, at most by 64
#>   6:22 what it runs over
#>   hint: unroll some iterations at a time: `s.unroll("k", factor=4)`

#: unroll one at a time
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.tile("k", 8)
    s.unroll("k", factor=1)
#> 14:26 error wsp.bad-number: `factor` is a compile-time int of at least 2, not `1`
#>   hint: write an int of 2 or more, or a constant of the module
