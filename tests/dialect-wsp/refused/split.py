#: split of an open loop
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
    s.split("i", 8)
#> 13:13 error wsp.open-loop: the blocks of loop `i` have no size yet, and `split` needs one
#>   3:14 its size is open
#>   hint: give it one first: `s.tile("i", 64)`

#: split into larger blocks
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
    s.split("i", 16)
#> 14:18 error wsp.growing-size: block sizes go from large to small, and 8 is followed by 16
#>   3:14 cut here
#>   hint: order the sizes from large to small

#: split with growing sizes
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
    s.tile("i", 64)
    s.split("i", 8, 16)
#> 14:21 error wsp.growing-size: block sizes go from large to small, and 8 is followed by 16
#>   hint: order the sizes from large to small

#: split without a size
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
    s.split("i")
#> 13:5 error wsp.bad-arguments: `split` takes `(loop, size, ...)`, not these arguments
#>   hint: write it like `s.split("i", 16)`

#: split of no loop
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
    s.split("m", 8)
#> 13:13 error wsp.unknown-loop: `w` has no loop `m`
#>   hint: did you mean `i`?

#: split under a name that is none
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
    s.tile("i", 64)
    s.split("i", 8, outer="2 i")
#> 14:27 error wsp.bad-name: `2 i` cannot be the name of one loop
#>   hint: write a name, such as `outer="i_outer"`, and one size

#: split in three under one name
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
    s.tile("i", 64)
    s.split("i", 16, 8, outer="ii")
#> 14:31 error wsp.bad-name: `ii` cannot be the name of one loop
#>   hint: write a name, such as `outer="i_outer"`, and one size

#: split under a taken name
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
    s.tile("i", 64)
    s.split("i", 8, outer="acc")
#> 14:27 error wsp.taken-name: this makes a loop `acc`, and `w` has that name already
#>   5:13 bound here
#>   hint: rename the one in the workload

#: split under a number
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
    s.tile("i", 64)
    s.split("i", 8, outer=3)
#> 14:5 error wsp.not-a-string: `outer` of `split` is a string, not `3`
#>   hint: write it like `s.split("i", 16)`
