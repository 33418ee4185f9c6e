#: bind of a loop that is parallel
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
    s.bind("i", level="core")
    s.bind("i", level="core")
#> 14:5 error wsp.bound-twice: how loop `i` runs is given twice: `bind`
#>   3:5 here already
#>   hint: take one of them out

#: bind to the elements of a vector
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
    s.bind("i", level="lane")
#> 13:23 error wsp.no-iterations: level `lane` of `test` runs no iterations: its kind is `vector`
#>   hint: cut the loop into vectors: `s.vectorize("i")`
