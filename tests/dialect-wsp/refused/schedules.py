#: unknown loop
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
    s.tile("ii", 64)
#> 13:12 error wsp.unknown-loop: `w` has no loop `ii`
#>   hint: did you mean `i`?

#: no such loop
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
    s.parallel("rows")
#> 13:16 error wsp.unknown-loop: `w` has no loop `rows`
#>   hint: it has: `i`, `j`, `k`

#: outer loop before there is one
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
    s.bind("i_0", level="core")
#> 14:12 error wsp.unknown-loop: `w` has no loop `i_0`
#>   hint: it has: `i`, `j`, `k`

#: tiled twice
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
    s.tile("i", 16)
#> 14:12 error wsp.sized-loop: loop `i` has its size already
#>   3:14 here
#>   hint: `s.split("i", …)` cuts its blocks again

#: size zero
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
    s.tile("i", 0)
#> 13:17 error wsp.bad-size: a block size is a compile-time int of at least 1, not `0`
#>   hint: write an int of 1 or more, or a constant of the module

#: size not constant
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
    s.tile("i", M)
#> 13:17 error wsp.bad-size: a block size is a compile-time int of at least 1, not `M`
#>   hint: write an int of 1 or more, or a constant of the module

#: growing sizes
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
    s.tile("i", 16, 64)
#> 13:21 error wsp.growing-size: block sizes go from large to small, and 16 is followed by 64
#>   hint: order the sizes from large to small

#: no size
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
    s.tile("i")
#> 13:5 error wsp.bad-arguments: `tile` takes `(loop, size, ...)`, not these arguments
#>   hint: write it like `s.tile("i", 64, 16)`

#: loop not a string
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
    s.tile(i, 64)
#> 13:5 error wsp.not-a-name: `tile` takes the name of a loop as a string, not `i`
#>   hint: write it like `s.tile("i", 64, 16)`

#: ordered loop in parallel
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
    s.parallel("k")
#> 13:16 error wsp.ordered-loop: loop `k` is ordered, and `parallel` needs iterations that are independent
#>   6:22 `seq`: one after the other
#>   7:17 bound here
#>   7:48 read here, before this iteration binds it
#>   hint: make another loop parallel: this one's iterations depend on each other

#: outer part of an ordered loop
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
    s.tile("k", 64, 16)
    s.parallel("k_0")
#> 14:16 error wsp.ordered-loop: loop `k_0` is ordered, and `parallel` needs iterations that are independent
#>   6:22 `seq`: one after the other
#>   7:17 bound here
#>   7:48 read here, before this iteration binds it
#>   hint: make another loop parallel: this one's iterations depend on each other

#: parallel twice
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
    s.parallel("i")
    s.bind("i", level="core")
#> 14:5 error wsp.bound-twice: how loop `i` runs is given twice: `bind`
#>   3:5 here already
#>   hint: take one of them out

#: unknown level
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
    s.bind("i", level="warp")
#> 13:23 error wsp.unknown-level: the target `test` has no level `warp`
#>   hint: it has: `core`, `lane`

#: no level
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
    s.bind("i")
#> 13:5 error wsp.bad-arguments: `bind` takes `(loop, level=)`, not these arguments
#>   hint: write it like `s.bind("i", level="core")`

#: level of parallel
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
    s.parallel("i", level="core")
#> 13:5 error wsp.bad-arguments: `parallel` takes `(loop)`, not these arguments
#>   hint: write it like `s.parallel("i")`

#: unknown directive
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
    s.tiles("i", 64)
#> 13:5 error wsp.unknown-directive: there is no directive `tiles`
#>   hint: did you mean `tile`?

#: a loop in a schedule
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
    for n in range(2):
        s.tile("i", 64)
#> 13:5 error wsp.not-a-directive: a schedule is straight-line directives, and `for n in range(2):` is none
#>   hint: write calls of the schedule's parameter only, such as `s.tile("i", 64)`

#: a call of something else
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
    print("i")
#> 13:5 error wsp.not-a-directive: a schedule is straight-line directives, and `print('i')` is none
#>   hint: write calls of the schedule's parameter only, such as `s.tile("i", 64)`

#: taken name
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            i_0 = zeros(f32, i, j)
            for k in seq(K):
                i_0 = matmul(x[i, k], b[k, j], i_0)
            y[i, j] = i_0


@schedule(w)
def s(s: Schedule) -> None:
    s.tile("i", 64, 16)
#> 13:5 error wsp.taken-name: this makes a loop `i_0`, and `w` has that name already
#>   5:13 bound here
#>   hint: rename the one in the workload

#: not a workload
def f():
    pass


@schedule(f)
def w(s: Schedule) -> None:
    s.tile("i", 64)
#> 5:11 error wsp.no-workload: `@schedule` takes a workload of this file, and `f` is none
#>   hint: mark the function with `@workload`, or name the one that is

#: two loops of one name
@workload
def w(x: In[Tensor[f32, M]], y: Out[Tensor[f32, M]]) -> None:
    for i in P(M):
        y[i] = x[i]
    for i in P(M):
        y[i] = x[i]


@schedule(w)
def s(s: Schedule) -> None:
    s.tile("i", 64)
#> 11:12 error wsp.ambiguous-loop: `w` has two loops over `i`
#>   hint: give the two loops variables of their own

#: sized loop
@workload
def w(x: In[Tensor[f32, M]], y: Out[Tensor[f32, M]]) -> None:
    for i in P(M, 8):
        y[i] = x[i]


@schedule(w)
def s(s: Schedule) -> None:
    s.tile("i", 64)
#> 9:12 error wsp.sized-loop: loop `i` has its size already
#>   3:14 here
#>   hint: `s.split("i", …)` cuts its blocks again

#: part of a loop that is not there
@workload
def w(x: In[Tensor[f32, M]], y: Out[Tensor[f32, M]]) -> None:
    for j in P(M):
        y[j] = x[j]


@schedule(w)
def s(s: Schedule) -> None:
    s.tile("i", 64, 16)
    s.parallel("i_0")
#> 9:12 error wsp.unknown-loop: `w` has no loop `i`
#>   hint: did you mean `j`?
