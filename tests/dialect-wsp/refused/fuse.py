#: fuse with itself
@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = exp(x[i, :])
    for j in P(M):
        z[j, :] = y[j, :] + 1.0


@schedule(w)
def s(s: Schedule) -> None:
    s.fuse("i", "i")
#> 11:17 error wsp.named-twice: loop `i` is named twice
#>   hint: name each loop once

#: fuse of three
@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = exp(x[i, :])
    for j in P(M):
        z[j, :] = y[j, :] + 1.0


@schedule(w)
def s(s: Schedule) -> None:
    s.fuse("i", "j", "i")
#> 11:5 error wsp.bad-arguments: `fuse` takes `(loop, loop)`, not these arguments
#>   hint: write it like `s.fuse("i", "j")`

#: fuse of no loop
@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = exp(x[i, :])
    for j in P(M):
        z[j, :] = y[j, :] + 1.0


@schedule(w)
def s(s: Schedule) -> None:
    s.fuse("i", "q")
#> 11:17 error wsp.unknown-loop: `w` has no loop `q`
#>   hint: did you mean `i`?

#: fuse of loops that are not adjacent
@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = exp(x[i, :])
    y[0, :] = zeros(f32, 1, N)
    for j in P(M):
        z[j, :] = y[j, :] + 1.0


@schedule(w)
def s(s: Schedule) -> None:
    s.fuse("i", "j")
#> 12:5 error wsp.not-adjacent: loops `i` and `j` do not stand one behind the other
#>   3:5 the first
#>   6:5 the second
#>   5:5 stands between them
#>   hint: move what stands between them, or fuse it first

#: fuse in the wrong order
@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = exp(x[i, :])
    for j in P(M):
        z[j, :] = y[j, :] + 1.0


@schedule(w)
def s(s: Schedule) -> None:
    s.fuse("j", "i")
#> 11:5 error wsp.not-adjacent: loops `j` and `i` do not stand one behind the other
#>   5:5 the first
#>   3:5 the second
#>   hint: move what stands between them, or fuse it first

#: fuse of nested loops
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
    s.fuse("i", "j")
#> 13:5 error wsp.not-adjacent: loops `i` and `j` do not stand one behind the other
#>   3:5 the first
#>   4:9 the second
#>   hint: `j` stands inside `i`: loops that become one stand one behind the other

#: fuse of different sizes
@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = exp(x[i, :])
    for j in P(M):
        z[j, :] = y[j, :] + 1.0


@schedule(w)
def s(s: Schedule) -> None:
    s.tile("i", 8)
    s.tile("j", 16)
    s.fuse("i", "j")
#> 13:5 error wsp.different-ranges: loops `i` and `j` do not run over the same blocks
#>   3:14 one range
#>   5:14 the other
#>   hint: loops that become one run over the same extent, in blocks of the same size, and in the same way; `compute_at` puts a loop into one with other blocks

#: fuse of different extents
@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = exp(x[i, :])
    for j in P(N):
        z[:, j] = y[:, j] + 1.0


@schedule(w)
def s(s: Schedule) -> None:
    s.fuse("i", "j")
#> 11:5 error wsp.different-ranges: loops `i` and `j` do not run over the same blocks
#>   3:14 one range
#>   5:14 the other
#>   hint: loops that become one run over the same extent, in blocks of the same size, and in the same way; `compute_at` puts a loop into one with other blocks

#: fuse of a parallel loop with one that is not
@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = exp(x[i, :])
    for j in P(M):
        z[j, :] = y[j, :] + 1.0


@schedule(w)
def s(s: Schedule) -> None:
    s.parallel("i")
    s.fuse("i", "j")
#> 12:5 error wsp.different-ranges: loops `i` and `j` do not run over the same blocks
#>   3:14 one range
#>   5:14 the other
#>   hint: loops that become one run over the same extent, in blocks of the same size, and in the same way; `compute_at` puts a loop into one with other blocks

#: fuse of an ordered loop
@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = exp(x[i, :])
    for j in seq(M):
        z[j, :] = y[j, :] + 1.0


@schedule(w)
def s(s: Schedule) -> None:
    s.fuse("i", "j")
#> 11:5 error wsp.different-ranges: loops `i` and `j` do not run over the same blocks
#>   3:14 one range
#>   5:14 the other
#>   hint: loops that become one run over the same extent, in blocks of the same size, and in the same way; `compute_at` puts a loop into one with other blocks

#: fuse where the second reads ahead
@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = exp(x[i, :])
    for j in P(M):
        z[j, :] = y[0, :] + 1.0


@schedule(w)
def s(s: Schedule) -> None:
    s.fuse("i", "j")
#> 11:5 error wsp.not-fused: loops `i` and `j` cannot become one: they depend on each other by `y`
#>   4:9 written here
#>   6:19 read here
#>   hint: what one writes and the other touches must be indexed by the loops' own blocks, in the same dimension

#: fuse where the second reads across
@workload
def w(x: In[Tensor[f32, M, M]], y: InOut[Tensor[f32, M, M]], z: Out[Tensor[f32, M, M]]) -> None:
    for i in P(M):
        y[i, :] = exp(x[i, :])
    for j in P(M):
        z[:, j] = y[:, j] + 1.0


@schedule(w)
def s(s: Schedule) -> None:
    s.fuse("i", "j")
#> 11:5 error wsp.not-fused: loops `i` and `j` cannot become one: they depend on each other by `y`
#>   4:9 written here
#>   6:19 read here
#>   hint: what one writes and the other touches must be indexed by the loops' own blocks, in the same dimension

#: fuse where the second writes what the first reads
@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: InOut[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        z[i, :] = y[0, :]
    for j in P(M):
        y[j, :] = x[j, :]


@schedule(w)
def s(s: Schedule) -> None:
    s.fuse("i", "j")
#> 11:5 error wsp.not-fused: loops `i` and `j` cannot become one: they depend on each other by `y`
#>   4:19 read here
#>   6:9 written here
#>   hint: what one writes and the other touches must be indexed by the loops' own blocks, in the same dimension

#: fuse where the second needs the sum
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    total = zeros(f32, 1, N)
    for i in seq(M):
        total = total + reduce_sum(x[i, :], axis=0)
    for j in seq(M):
        y[j, :] = x[j, :] / total


@schedule(w)
def s(s: Schedule) -> None:
    s.fuse("i", "j")
#> 12:5 error wsp.not-fused: loops `i` and `j` cannot become one: they depend on each other by `total`
#>   5:9 written here
#>   7:29 read here
#>   hint: what one writes and the other touches must be indexed by the loops' own blocks, in the same dimension
