#: pipeline of depth 1
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
    s.pipeline("k", depth=1)
#> 13:27 error wsp.bad-number: `depth` is a compile-time int of at least 2, not `1`
#>   hint: write an int of 2 or more, or a constant of the module

#: pipeline of a depth that is no constant
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
    s.pipeline("k", depth=M)
#> 13:27 error wsp.bad-number: `depth` is a compile-time int of at least 2, not `M`
#>   hint: write an int of 2 or more, or a constant of the module

#: pipeline twice
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
    s.pipeline("k", depth=2)
    s.pipeline("k", depth=2)
#> 14:5 error wsp.bound-twice: how loop `k` runs is given twice: `pipeline`
#>   6:13 here already
#>   hint: take one of them out

#: pipeline of a loop that reads what it writes
@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    for i in seq(M):
        y[i, :] = x[i, :] + y[0, :]


@schedule(w)
def s(s: Schedule) -> None:
    s.pipeline("i", depth=2)
#> 9:16 error wsp.not-pipelined: iterations of loop `i` cannot overlap: one may read what another writes to `y`
#>   4:9 written here
#>   4:29 read here
#>   hint: pipeline a loop that reads and writes different tensors

#: two buffers for a loop that reads what it writes
@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    for i in seq(M):
        y[i, :] = x[i, :] + y[0, :]


@schedule(w)
def s(s: Schedule) -> None:
    s.double_buffer("i")
#> 9:21 error wsp.not-pipelined: iterations of loop `i` cannot overlap: one may read what another writes to `y`
#>   4:9 written here
#>   4:29 read here
#>   hint: pipeline a loop that reads and writes different tensors

#: two buffers for a loop that has them
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
    s.pipeline("k", depth=3)
    s.double_buffer("k")
#> 14:5 error wsp.bound-twice: how loop `k` runs is given twice: `double_buffer`
#>   6:13 here already
#>   hint: take one of them out
