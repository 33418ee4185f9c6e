#: reorder of one loop
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
    s.reorder("i")
#> 13:5 error wsp.bad-arguments: `reorder` takes `(loop, loop, ...)`, not these arguments
#>   hint: write it like `s.reorder("j", "i")`

#: reorder of a loop named twice
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
    s.reorder("i", "j", "i")
#> 13:25 error wsp.named-twice: loop `i` is named twice
#>   hint: name each loop once

#: reorder of no loop
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
    s.reorder("j", "m")
#> 13:20 error wsp.unknown-loop: `w` has no loop `m`
#>   hint: did you mean `i`?

#: reorder of loops with something between
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
    s.reorder("k", "i")
#> 13:5 error wsp.not-nested: loop `k` does not stand alone in loop `j`
#>   6:13 this loop
#>   5:13 stands directly inside `j`
#>   hint: loops change places when nothing but the inner loop stands in the outer one

#: reorder of loops one behind the other
@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = exp(x[i, :])
    for j in P(M):
        z[j, :] = y[j, :] + 1.0


@schedule(w)
def s(s: Schedule) -> None:
    s.reorder("j", "i")
#> 11:5 error wsp.not-nested: loop `j` does not stand alone in loop `i`
#>   5:5 this loop
#>   4:9 stands directly inside `i`
#>   hint: loops change places when nothing but the inner loop stands in the outer one

#: reorder that puts a cut outside
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
    s.reorder("i", "i_0")
#> 14:5 error wsp.cut-inside: loop `i` cannot stand outside loop `i_0`, whose blocks it cuts
#>   3:14 cuts what `i_0` runs over
#>   hint: keep the loop that is cut outside

#: reorder that changes nothing, and a mistake
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
    s.reorder("i", "j")
    s.tile("i", 0)
#> 13:5 warning wsp.changes-nothing: the loops stand as `reorder` says already
#>   hint: leave it out, or name the loops in the order they should have, outermost first
#> 14:17 error wsp.bad-size: a block size is a compile-time int of at least 1, not `0`
#>   hint: write an int of 1 or more, or a constant of the module

#: reorder of a sum
@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    for i in seq(M):
        for j in seq(N):
            y[0, 0] = y[0, 0] + x[i, j]


@schedule(w)
def s(s: Schedule) -> None:
    s.reorder("j", "i")
#> 10:5 error wsp.not-reordered: loops `i` and `j` cannot be interchanged: their iterations depend on each other by `y`
#>   5:13 written here
#>   hint: reorder loops of which one is independent, such as one over `P`

#: reorder of loops that carry a name
@workload
def w(x: In[Tensor[f32, M, M]], y: Out[Tensor[f32, M, M]]) -> None:
    last = x[0, 0]
    for i in seq(M):
        for j in seq(M):
            last = last * 0.5 + x[i, j]
            y[i, j] = last


@schedule(w)
def s(s: Schedule) -> None:
    s.reorder("j", "i")
#> 12:5 error wsp.not-reordered: loops `i` and `j` cannot be interchanged: their iterations depend on each other by `last`
#>   6:13 bound here
#>   6:20 read here, before this iteration binds it
#>   hint: reorder loops of which one is independent, such as one over `P`
