#: buffer of a parameter
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
    s.buffer("x", space="memory")
#> 13:14 error wsp.not-a-buffer: `x` is no buffer of the workload's own
#>   2:7 a parameter
#>   hint: make a copy of a parameter with `cache`, or write `h = buffer(f32, M, N)` in the workload

#: buffer in a space that is none
@workload
def w(x: In[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    y = buffer(f32, M, N)
    for i in P(M):
        y[i, :] = exp(x[i, :])
    for j in P(M):
        z[j, :] = y[j, :] + 1.0


@schedule(w)
def s(s: Schedule) -> None:
    s.buffer("y", space="l1")
#> 12:25 error wsp.unknown-space: the target `test` has no memory space `l1`
#>   hint: it has: `memory`, `stack`

#: buffer of a size that is not known
@workload
def w(x: In[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    y = buffer(f32, M, N)
    for i in P(M):
        y[i, :] = exp(x[i, :])
    for j in P(M):
        z[j, :] = y[j, :] + 1.0


@schedule(w)
def s(s: Schedule) -> None:
    s.buffer("y", space="stack")
#> 12:5 error wsp.unknown-footprint: `y` takes M x N x 4 bytes, which is not known to fit into `stack` of 65536 bytes
#>   hint: tile the loops whose blocks it holds, and hold one block of each dimension

#: buffer without a space
@workload
def w(x: In[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    y = buffer(f32, M, N)
    for i in P(M):
        y[i, :] = exp(x[i, :])
    for j in P(M):
        z[j, :] = y[j, :] + 1.0


@schedule(w)
def s(s: Schedule) -> None:
    s.buffer("y")
#> 12:5 error wsp.bad-arguments: `buffer` takes `(tensor, space=)`, not these arguments
#>   hint: write it like `s.buffer("h", space="stack")`
