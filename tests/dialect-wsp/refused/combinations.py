#: combination that calls itself
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


def again(s: Schedule, loop: str) -> None:
    again(s, loop)


@schedule(w)
def s(s: Schedule) -> None:
    again(s, "i")
#> 17:5 error wsp.endless-combination: `again` calls itself, or calls others too deep
#>   hint: take the call of itself out

#: combination with too few values
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


def blocks(s: Schedule, loop: str, size: int) -> None:
    s.tile(loop, size)


@schedule(w)
def s(s: Schedule) -> None:
    blocks(s, "i")
#> 17:5 error wsp.bad-arguments: `blocks` takes `(s, loop, size)`, not these arguments
#>   11:1 defined here
#>   hint: give it the schedule first, then a value for each of its parameters

#: combination with a value of no parameter
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


def blocks(s: Schedule, loop: str, size: int = 8) -> None:
    s.tile(loop, size)


@schedule(w)
def s(s: Schedule) -> None:
    blocks(s, "i", depth=3)
#> 17:5 error wsp.bad-arguments: `blocks` takes `(s, loop, size)`, not these arguments
#>   11:1 defined here
#>   hint: give it the schedule first, then a value for each of its parameters

#: combination that is not straight
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


def blocks(s: Schedule, loop: str) -> None:
    if loop:
        s.tile(loop, 8)


@schedule(w)
def s(s: Schedule) -> None:
    blocks(s, "i")
#> 12:5 error wsp.not-a-directive: a schedule is straight-line directives, and `if loop:` is none
#>   18:5 called here
#>   hint: write calls of the schedule's parameter only, such as `s.tile("i", 64)`

#: mistake in a combination
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


def blocks(s: Schedule, loop: str, size: int) -> None:
    s.tile(loop, size)


@schedule(w)
def s(s: Schedule) -> None:
    blocks(s, "rows", 8)
#> 12:12 error wsp.unknown-loop: `w` has no loop `rows`
#>   17:5 called here
#>   hint: it has: `i`, `j`, `k`

#: combination with a size that is none
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


def blocks(s: Schedule, loop: str, size: int) -> None:
    s.tile(loop, size - 8)


@schedule(w)
def s(s: Schedule) -> None:
    blocks(s, "i", 8)
#> 12:18 error wsp.bad-size: a block size is a compile-time int of at least 1, not `8 - 8`
#>   17:5 called here
#>   hint: write an int of 1 or more, or a constant of the module

#: overrides nothing
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
    s.tile("i", 8, override=True)
#> 13:5 error wsp.overrides-nothing: no `tile` of `i` stands before this one
#>   hint: leave `override=True` out, or name the loop that the earlier one names

#: overrides by a value
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
    s.tile("i", 16, override=1)
#> 14:5 error wsp.bad-override: `override` of `tile` is `True` or `False`, not `1`
#>   hint: write it like `s.tile("i", 64, 16)`
