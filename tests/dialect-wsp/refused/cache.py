#: cache of no tensor
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
    s.cache("a", at="i")
#> 13:13 error wsp.unknown-tensor: `w` has no tensor `a`
#>   hint: did you mean `b`?

#: cache of a tile
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
    s.cache("acc", at="i")
#> 13:13 error wsp.unknown-tensor: `w` has no tensor `acc`
#>   hint: it has: `b`, `x`, `y`

#: cache in no loop
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
    s.cache("x", at="m")
#> 13:21 error wsp.unknown-loop: `w` has no loop `m`
#>   hint: did you mean `i`?

#: cache without a loop
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
    s.cache("x")
#> 13:5 error wsp.bad-arguments: `cache` takes `(tensor, at=)`, not these arguments
#>   hint: write it like `s.cache("b", at="j")`

#: cache of what the loop does not read
@workload
def w(x: In[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    y = buffer(f32, M, N)
    for i in P(M):
        y[i, :] = exp(x[i, :])
    for j in P(M):
        z[j, :] = y[j, :] + 1.0


@schedule(w)
def s(s: Schedule) -> None:
    s.cache("x", at="j")
#> 12:13 error wsp.not-read: loop `j` does not read `x`
#>   6:5 this loop
#>   hint: name a loop that reads it

#: cache of what the loop writes
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
    s.cache("y", at="j")
#> 13:5 error wsp.copied-written: `y` cannot be read from a copy in loop `j`: the loop writes it
#>   8:13 written here
#>   hint: copy what the loop only reads

#: cache of what the loop reads and writes
@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = exp(x[i, :])
    for j in P(M):
        z[j, :] = y[j, :] + 1.0


@schedule(w)
def s(s: Schedule) -> None:
    s.fuse("i", "j")
    s.cache("y", at="i")
#> 12:5 error wsp.copied-written: `y` cannot be read from a copy in loop `i`: the loop writes it
#>   4:9 written here
#>   hint: copy what the loop only reads

#: cache in a space that is none
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
    s.cache("x", at="i", space="ub")
#> 13:32 error wsp.unknown-space: the target `test` has no memory space `ub`
#>   hint: it has: `memory`, `stack`

#: cache of a size that is not known
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
    s.tile("i", 16)
    s.cache("x", at="i", space="stack")
#> 14:5 error wsp.unknown-footprint: `x_local` takes 16 x K x 4 bytes, which is not known to fit into `stack` of 65536 bytes
#>   hint: tile the loops whose blocks it holds, and hold one block of each dimension

#: cache that is too large
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
    s.tile("i", 256)
    s.tile("k", 128)
    s.cache("x", at="k", space="stack")
#> 15:5 error wsp.over-capacity: `x_local` takes 256 x 128 x 4 bytes = 131072 bytes, and `stack` holds 65536
#>   hint: make the blocks smaller, or use another space

#: caches that are too large together
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
    s.tile("j", 224)
    s.tile("k", 64)
    s.cache("x", at="k", space="stack")
    s.cache("b", at="k", space="stack")
#> 17:5 error wsp.over-capacity: `b_local` takes 64 x 224 x 4 bytes = 57344 bytes, and `stack` holds 65536
#>   note: other buffers in `stack` take 16384 bytes
#>   hint: make the blocks smaller, or use another space
