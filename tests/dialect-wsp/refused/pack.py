#: pack of a vector
@workload
def w(x: In[Tensor[f32, M]], y: Out[Tensor[f32, M]]) -> None:
    for i in P(M):
        y[i] = x[i]


@schedule(w)
def s(s: Schedule) -> None:
    s.pack("x", at="i")
#> 9:12 error wsp.nothing-to-turn: `x` cannot be packed
#>   hint: `cache` holds it as it is

#: pack of what a call reads
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(load(x, i, k), b[k, j], acc)
            y[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.pack("x", at="i")
#> 13:12 error wsp.nothing-to-turn: `x` cannot be packed
#>   hint: read it by `x[…]`

#: pack of no tensor
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
    s.pack("z", at="i")
#> 13:12 error wsp.unknown-tensor: `w` has no tensor `z`
#>   hint: did you mean `b`?
