#: an extent that the places do not divide
@pipeline
def w(x: In[Tensor[f32, 30, N]], y: Out[Tensor[f32, 30, N]]) -> None:
    @process(grid=4, args=(shard(x, S(0), R), shard(y, S(0), R)))
    def work(g: int, x: In[Tensor[f32, 8, N]], y: Out[Tensor[f32, 8, N]]) -> None:
        y[:, :] = x[:, :]
#> 3:28 error csp.shard-extent: dimension 0 of `x` is 30 and cut over 4 instances, which does not make shards of 8
#>   4:22 the shard is declared here
#>   hint: let the tensor have 32, or 28: shards are equal
#> 3:47 error csp.shard-extent: dimension 0 of `y` is 30 and cut over 4 instances, which does not make shards of 8
#>   4:48 the shard is declared here
#>   hint: let the tensor have 32, or 28: shards are equal

#: a dim that the places need not divide
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    @process(grid=4, args=(shard(x, S(0), R), shard(y, S(0), R)))
    def work(g: int, x: In[Tensor[f32, K, N]], y: Out[Tensor[f32, K, N]]) -> None:
        y[:, :] = x[:, :]
#> 3:28 error csp.shard-extent: dimension 0 of `x` is M and cut over 4 instances, which does not make shards of K
#>   4:22 the shard is declared here
#>   hint: let the tensor have `4 * K`, of which each instance has `K`
#> 3:47 error csp.shard-extent: dimension 0 of `y` is M and cut over 4 instances, which does not make shards of K
#>   4:48 the shard is declared here
#>   hint: let the tensor have `4 * K`, of which each instance has `K`

#: the part of another number of places
@pipeline
def w(x: In[Tensor[f32, 4 * M, N]], y: Out[Tensor[f32, 4 * M, N]]) -> None:
    @process(grid=2, args=(shard(x, S(0), R), shard(y, S(0), R)))
    def work(g: int, x: In[Tensor[f32, 2 * M, N]], y: Out[Tensor[f32, M, N]]) -> None:
        y[:, :] = x[:, :]
#> 3:47 error csp.shard-extent: dimension 0 of `y` is 4 * M and cut over 2 instances, which does not make shards of M
#>   4:52 the shard is declared here
#>   hint: let the tensor have `2 * M`, of which each instance has `M`

#: an extent of the part that divides, and is another one
@pipeline
def w(x: In[Tensor[f32, 12, N]], y: Out[Tensor[f32, 12, N]]) -> None:
    @process(grid=4, args=(shard(x, S(0), R), shard(y, S(0), R)))
    def work(g: int, x: In[Tensor[f32, 12, N]], y: Out[Tensor[f32, 3, N]]) -> None:
        y[:, :] = x[:3, :]
#> 3:28 error csp.shard-extent: dimension 0 of `x` is 12 and cut over 4 instances, which does not make shards of 12
#>   4:22 the shard is declared here
#>   hint: declare `3` there

#: a whole tensor declared as a part
@pipeline
def w(x: In[Tensor[f32, 12, N]], y: Out[Tensor[f32, 12, N]]) -> None:
    @process(grid=4, args=(x, shard(y, S(0), R)))
    def work(g: int, x: In[Tensor[f32, 3, N]], y: Out[Tensor[f32, 3, N]]) -> None:
        y[:, :] = x[:, :]
#> 3:28 error csp.shard-extent: dimension 0 of `x` is 12 and whole at each instance, which does not make shards of 3
#>   4:22 the shard is declared here
#>   hint: declare `12` there

#: an axis that the grid does not have
@pipeline
def w(x: In[Tensor[f32, 12, N]], y: Out[Tensor[f32, 12, N]]) -> None:
    @process(grid=4, args=(shard(x, S(1), R), y))
    def work(g: int, x: In[Tensor[f32, 3, N]], y: Out[Tensor[f32, 3, N]]) -> None:
        y[:, :] = x[:, :]
#> 3:37 error csp.shard-axis: no axis 1 in the grid of `work`, number of axes 1
#>   hint: name an axis of the grid: `S(0)` is its first one
#> 3:47 error csp.shard-extent: dimension 0 of `y` is 12 and whole at each instance, which does not make shards of 3
#>   4:48 the shard is declared here
#>   hint: declare `12` there

#: no layout for a dimension
@pipeline
def w(x: In[Tensor[f32, 12, N]], y: Out[Tensor[f32, 12, N]]) -> None:
    @process(grid=4, args=(shard(x, S(0)), shard(y, S(0), R)))
    def work(g: int, x: In[Tensor[f32, 3, N]], y: Out[Tensor[f32, 3, N]]) -> None:
        y[:, :] = x[:, :]
#> 3:28 error csp.shard-layouts: layouts for the dimensions of `x`: 1 given, 2 expected
#>   hint: write `S(axis)` or `R` for each dimension

#: an axis twice
@pipeline
def w(x: In[Tensor[f32, 12, N]], y: Out[Tensor[f32, 12, N]]) -> None:
    @process(grid=4, args=(shard(x, S(0), S(0)), shard(y, S(0), R)))
    def work(g: int, x: In[Tensor[f32, 3, N]], y: Out[Tensor[f32, 3, N]]) -> None:
        y[:, :] = x[:, :]
#> 3:43 error csp.shard-axis-twice: two dimensions of `x` are cut over the axis 0
#>   hint: leave one of them whole, `R`, or cut it over another axis

#: a word that is no layout
@pipeline
def w(x: In[Tensor[f32, 12, N]], y: Out[Tensor[f32, 12, N]]) -> None:
    @process(grid=4, args=(shard(x, 0, R), shard(y, S(0), R)))
    def work(g: int, x: In[Tensor[f32, 3, N]], y: Out[Tensor[f32, 3, N]]) -> None:
        y[:, :] = x[:, :]
#> 3:37 error csp.shard-layout: `0` is neither `S(axis)` nor `R`
#>   hint: write `S(axis)` or `R` for each dimension

#: places that would store the same
@pipeline
def w(x: In[Tensor[f32, 12, N]], y: Out[Tensor[f32, 12, N]]) -> None:
    @process(grid=(4, 2), args=(shard(x, S(0), R), shard(y, S(0), R)))
    def work(g: int, h: int, x: In[Tensor[f32, 3, N]], y: Out[Tensor[f32, 3, N]]) -> None:
        y[:, :] = x[:, :]
#> 3:52 error csp.shard-shared: `y` is stored, and not cut over the axis 1 of the grid of `work`, along which 2 instances would store the same
#>   hint: cut a dimension over that axis, `S(axis)`, or give the tensor to one process

#: another dtype
@pipeline
def w(x: In[Tensor[f32, 12, N]], y: Out[Tensor[f32, 12, N]]) -> None:
    @process(grid=4, args=(shard(x, S(0), R), shard(y, S(0), R)))
    def work(g: int, x: In[Tensor[i32, 3, N]], y: Out[Tensor[f32, 3, N]]) -> None:
        y[:, :] = cast(x[:, :], f32)
#> 3:28 error csp.shard-dtype: parameter `x` of `work` has dtype i32, and `x` has f32
#>   4:22 the parameter
#>   hint: declare the parameter with the tensor's dtype

#: an input as an output
@pipeline
def w(x: In[Tensor[f32, 12, N]], y: Out[Tensor[f32, 12, N]]) -> None:
    @process(grid=4, args=(shard(x, S(0), R), shard(y, S(0), R)))
    def work(g: int, x: Out[Tensor[f32, 3, N]], y: Out[Tensor[f32, 3, N]]) -> None:
        y[:, :] = zeros(f32, 3, N)
        x[:, :] = zeros(f32, 3, N)
#> 3:28 error csp.shard-direction: parameter `x` of `work` is `Out`, and `x` is `In`
#>   4:22 the parameter
#>   hint: declare the two alike, or the tensor `InOut`

#: a shard of fewer dimensions
@pipeline
def w(x: In[Tensor[f32, 12, N]], y: Out[Tensor[f32, 12, N]]) -> None:
    @process(grid=4, args=(shard(x, S(0), R), shard(y, S(0), R)))
    def work(g: int, x: In[Tensor[f32, 3]], y: Out[Tensor[f32, 3, N]]) -> None:
        y[:, :] = zeros(f32, 3, N)
#> 3:28 error csp.shard-rank: parameter `x` of `work` has 1 dimensions, and `x` has 2
#>   4:22 the parameter
#>   hint: declare the parameter with the tensor's dimensions

#: what is no tensor
@pipeline
def w(x: In[Tensor[f32, 12, N]], y: Out[Tensor[f32, 12, N]]) -> None:
    rows = channel(f32, 3, N, capacity=2)

    @process(grid=4, args=(rows, shard(y, S(0), R)))
    def work(g: int, x: In[Tensor[f32, 3, N]], y: Out[Tensor[f32, 3, N]]) -> None:
        y[:, :] = x[:, :]
#> 5:28 error csp.shard-tensor: `rows` is no tensor of the pipeline
#>   6:22 the parameter
#>   hint: name one of the pipeline's parameters

#: a parameter too few
@pipeline
def w(x: In[Tensor[f32, 12, N]], y: Out[Tensor[f32, 12, N]]) -> None:
    @process(grid=4, args=(shard(x, S(0), R), shard(y, S(0), R)))
    def work(g: int, x: In[Tensor[f32, 3, N]]) -> None:
        y[g, :] = x[0, :]
#> 4:5 error csp.grid-parameters: the process `work` has 2 parameters, and its grid 1 dimensions
#>   note: `args=` gives it 2
#>   hint: give it one parameter for each dimension of its grid, and one for each of `args=`

#: a parameter without a type
@pipeline
def w(x: In[Tensor[f32, 12, N]], y: Out[Tensor[f32, 12, N]]) -> None:
    @process(grid=4, args=(shard(x, S(0), R), shard(y, S(0), R)))
    def work(g: int, x: int, y: Out[Tensor[f32, 3, N]]) -> None:
        y[:, :] = zeros(f32, 3, N)
#> 3:28 error csp.shard-parameter: parameter `x` of `work` is no tensor
#>   4:22 the parameter
#>   hint: write the type of its shard: `In[Tensor[f32, 3, N]]`

#: another word
@pipeline
def w(x: In[Tensor[f32, 12, N]], y: Out[Tensor[f32, 12, N]]) -> None:
    @process(gird=4)
    def work() -> None:
        y[:, :] = x[:, :]
#> 3:14 error csp.bad-process: `process` takes `grid=` and `args=`, and not this
#>   hint: write it like `@process(grid=4, args=(shard(x, S(0), R), w))`, with a tuple

#: a part handed on as a whole
@pipeline
def other(x: In[Tensor[f32, 3, N]], y: Out[Tensor[f32, 3, N]]) -> None:
    @process
    def copy() -> None:
        y[:, :] = x[:, :]


@pipeline
def w(x: In[Tensor[f32, 12, N]], y: Out[Tensor[f32, 12, N]]) -> None:
    @process(grid=4, args=(shard(x, S(0), R), shard(y, S(0), R)))
    def work(g: int, x: In[Tensor[f32, 3, N]], y: Out[Tensor[f32, 3, N]]) -> None:
        other(x, y)
#> 12:15 error csp.shard-use: `x` is a shard of `x`, and is used by its indices alone
#>   hint: load it, `x[:, :]`, and hand on the tile; or store it in a buffer, and hand that on
#> 12:18 error csp.shard-use: `y` is a shard of `y`, and is used by its indices alone
#>   hint: load it, `x[:, :]`, and hand on the tile; or store it in a buffer, and hand that on

#: an index outside of the part
@pipeline
def w(x: In[Tensor[f32, 12, N]], y: Out[Tensor[f32, 12, N]]) -> None:
    @process(grid=4, args=(shard(x, S(0), R), shard(y, S(0), R)))
    def work(g: int, x: In[Tensor[f32, 3, N]], y: Out[Tensor[f32, 3, N]]) -> None:
        y[:, :] = x[:, :]
        y[3, :] = x[2, :]
#> 5:9 error tile.shared-elements: instances of the grid of `work` may store what others store in `y`
#>   6:9 stored here
#>   hint: let each instance store elements of its own, by its indices
#> 6:11 error tile.outside: index `3` is outside dimension 0 at least once at every size that reaches it, as when N = 1 and g = 3
#>   hint: use an index from 0 to one less than the extent

#: a part that is never written
@pipeline
def w(x: In[Tensor[f32, 12, N]], y: Out[Tensor[f32, 12, N]]) -> None:
    @process(grid=4, args=(shard(x, S(0), R), shard(y, S(0), R)))
    def work(g: int, x: In[Tensor[f32, 3, N]], y: Out[Tensor[f32, 3, N]]) -> None:
        z = x[:, :]
#> 2:34 error tile.never-written: `y` is an output, and nothing is stored to it
#>   hint: write it: `y[…] = …`
