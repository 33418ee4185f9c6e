#: prefetch of depth 1
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
    s.prefetch("b", at="k", depth=1)
#> 13:35 error wsp.bad-number: `depth` is a compile-time int of at least 2, not `1`
#>   hint: write an int of 2 or more, or a constant of the module

#: prefetch beside another one of a different depth
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
    s.prefetch("x", at="k", depth=3)
    s.prefetch("b", at="k")
#> 14:5 error wsp.depths-differ: loop `k` overlaps 3 iterations, and this wants 2
#>   6:13 overlaps already
#>   hint: write `depth=3`
