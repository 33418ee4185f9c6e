#: a workload that is called with a tile
@workload
def twice(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = x[i, :] * 2.0


@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    twice(x[:, :], y)
#> 9:11 error wsp.call-tensor: `twice` takes a tensor for `x`, and `x[:, :]` is none
#>   2:1 declared here
#>   hint: give it a tensor by its name, whole

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
#> 14:5 error wsp.call-missing: `square` is not given its parameter `y`
#>   2:1 declared here
#>   hint: give an argument for it
#> 15:13 error wsp.call-extents: `blocked` takes a tensor of (M, M) for `x`, and `x` has (M, N)
#>   2:1 declared here
#>   hint: declare the parameter with the extents of what it is given, or give it a tensor of its extents
#> 15:16 error wsp.call-extents: `blocked` takes a tensor of (M, M) for `y`, and `y` has (M, N)
#>   2:1 declared here
#>   hint: declare the parameter with the extents of what it is given, or give it a tensor of its extents
#> 16:13 error wsp.call-reads: `blocked` reads its parameter `x`, and `y` is only written
#>   2:1 declared here
#>   hint: give it a tensor that is `In` or `InOut`
#> 16:16 error wsp.call-writes: `blocked` writes its parameter `y`, and `x` is only read
#>   2:1 declared here
#>   hint: give it a tensor that is `Out` or `InOut`

#: too many arguments, one that is not there, and one twice
@workload
def double(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = x[i, :] * 2.0


@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    double(x, y, y)
    double(x, z=y)
    double(x, x=y)
#> 9:5 error wsp.call-count: `double` takes 2 arguments, 3 given
#>   2:1 declared here
#>   hint: give one argument for each parameter
#> 10:15 error wsp.call-keyword: `double` has no parameter `z`
#>   2:1 declared here
#>   hint: name one of its parameters
#> 11:15 error wsp.call-twice: `double` is given its parameter `x` twice
#>   2:1 declared here
#>   hint: give it once, by position or by name

#: a tensor of another dtype
@workload
def double(x: In[Tensor[i32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = cast(x[i, :], f32)


@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    double(x, y)
#> 9:12 error wsp.call-dtype: `double` takes a tensor of i32 for `x`, and `x` is one of f32
#>   2:1 declared here
#>   hint: declare the parameter with the dtype of what it is given, or give it a tensor of its dtype

#: one tensor twice
@workload
def add(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = y[i, :] + x[i, :]


@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    add(x, y)
    add(y, y)
#> 10:12 error wsp.call-alias: `add` is given `y` for `x` and for `y`, and writes one of them
#>   2:1 declared here
#>   hint: give each of the two a tensor of its own

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
