#: vectorize along a column
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
    s.vectorize("i")
#> 13:17 error wsp.not-consecutive: loop `i` does not run along the elements of `x` that lie side by side
#>   7:32 dimension 0 of 2
#>   hint: vectorize the loop whose block is the last index

#: vectorize of an ordered loop
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
    s.vectorize("k")
#> 13:17 error wsp.ordered-loop: loop `k` is ordered, and `vectorize` needs iterations that are independent
#>   6:22 `seq`: one after the other
#>   7:17 bound here
#>   7:48 read here, before this iteration binds it
#>   hint: make another loop parallel: this one's iterations depend on each other

#: vectorize of a width that does not divide
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
    s.tile("j", 24)
    s.vectorize("j")
#> 14:17 error wsp.vector-width: the blocks of loop `j` are of 24, which the vectors of 16 lanes do not divide
#>   4:18 its size
#>   hint: give it a multiple of 16

#: vectorize of a dtype without vectors
from htp import f64


@workload
def w(x: In[Tensor[f64, M, N]], y: Out[Tensor[f64, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            y[i, j] = x[i, j]


@schedule(w)
def s(s: Schedule) -> None:
    s.vectorize("j")
#> 13:17 error wsp.no-vectors: the target `test` has no vectors for loop `j`
#>   7:9 what it indexes has no vectors there
#>   hint: leave the directive out for this target, or index a tensor of f32 or f64 with the loop's block

#: vectorize twice
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            y[i, j] = x[i, j]


@schedule(w)
def s(s: Schedule) -> None:
    s.vectorize("j")
    s.vectorize("j")
#> 11:5 error wsp.bound-twice: how loop `j` runs is given twice: `vectorize`
#>   4:9 here already
#>   hint: take one of them out

#: vectorize with a value
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            y[i, j] = x[i, j]


@schedule(w)
def s(s: Schedule) -> None:
    s.vectorize("j", 16)
#> 10:5 error wsp.bad-arguments: `vectorize` takes `(loop)`, not these arguments
#>   hint: write it like `s.vectorize("j")`
