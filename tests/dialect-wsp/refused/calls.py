#: a workload that is called with a tile
@workload
def twice(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = x[i, :] * 2.0


@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    twice(x[:, :], y)
#> 9:11 error wsp.call-argument: `twice` takes a tensor for `x`, and is given `x[:, :]`
#>   2:1 declared here
#>   hint: give it what its parameters say

#: with the wrong number, dims that do not fit, and a tensor that is read
@workload
def square(x: In[Tensor[f32, K, K]], y: Out[Tensor[f32, K, K]]) -> None:
    for i in P(K):
        y[i, :] = x[i, :] * 2.0


@schedule(square)
def blocked(s: Schedule) -> None:
    s.tile("i", 8)


@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    square(x)
    blocked(x, y)
    blocked(y, x)
#> 14:5 error wsp.call-argument: `square` takes 2 arguments, `y` among them, and is given 1
#>   2:1 declared here
#>   hint: give it what its parameters say
#> 15:13 error wsp.call-argument: `blocked` takes a tensor of (M, M) for `x`, and is given `x` of (M, N)
#>   2:1 declared here
#>   hint: give it what its parameters say
#> 15:16 error wsp.call-argument: `blocked` takes a tensor of (M, M) for `y`, and is given `y` of (M, N)
#>   2:1 declared here
#>   hint: give it what its parameters say
#> 16:13 error wsp.call-argument: `blocked` takes a tensor to read for `x`, and is given `y`, which is written
#>   2:1 declared here
#>   hint: give it what its parameters say
#> 16:16 error wsp.call-argument: `blocked` takes a tensor to write for `y`, and is given `x`, which is read
#>   2:1 declared here
#>   hint: give it what its parameters say

#: one tensor twice
@workload
def add(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = y[i, :] + x[i, :]


@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    add(x, y)
    add(y, y)
#> 10:12 error wsp.call-argument: `add` takes a tensor that no other parameter has for `y`, and is given `y`, as `x`
#>   2:1 declared here
#>   hint: give it what its parameters say

#: workloads that run each other
@workload
def other(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    w(x, y)


@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    other(x, y)
#> 3:5 error wsp.recursive: `w` runs itself
#>   7:1 declared here
#>   hint: let it have the loops that it needs
#> 8:5 error wsp.recursive: `other` runs itself
#>   2:1 declared here
#>   hint: let it have the loops that it needs
