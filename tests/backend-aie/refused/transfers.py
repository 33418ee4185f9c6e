import htp
from htp import In, Out, f32, i8, i16
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, kernel, reduce_max, reduce_sum, tiles, zeros

#: blocks of 42 bytes
@kernel
def f(x: In[Tensor[i16, 9, 7]], y: Out[Tensor[i16, 9, 7]]) -> None:
    for i in tiles(9, 3):
        t = x[i, :] + 1
        y[i, :] = reduce_sum(t, axis=0) + reduce_sum(t, axis=1)
#> 4:13 error aie.block-bytes: blocks of `x`, 3 by 7 elements, are 42 bytes, no multiple of 4
#>   hint: choose blocks that are a multiple of 4 bytes

#: blocks of 56 bytes
@kernel
def f(x: In[Tensor[i16, 8, 7]], y: Out[Tensor[i16, 8, 7]]) -> None:
    for i in tiles(8, 4):
        t = x[i, :] + 1
        y[i, :] = reduce_sum(t, axis=0) + reduce_sum(t, axis=1)
#> compiles

#: columns of bytes
@kernel
def f(x: In[Tensor[i8, 64, 128]], y: Out[Tensor[i8, 64, 128]]) -> None:
    for j in tiles(128, 1):
        y[:, j] = x[:, j] + reduce_max(x[:, j], axis=1)
#> 4:19 error aie.line-bytes: the transfers of `x` go through lines of 1 elements, no multiple of 4 bytes
#>   hint: choose blocks whose last dimension is longer, or a multiple of 4 bytes

#: four columns of bytes
@kernel
def f(x: In[Tensor[i8, 64, 128]], y: Out[Tensor[i8, 64, 128]]) -> None:
    for j in tiles(128, 4):
        y[:, j] = x[:, j] + reduce_max(x[:, j], axis=1)
#> compiles

#: rows that are far apart
@kernel
def f(x: In[Tensor[f32, 4, 2000000]], y: Out[Tensor[f32, 4, 2000000]]) -> None:
    for j in tiles(2000000, 1000):
        y[:, j] = x[:, j] + 1.0
#> 4:19 error aie.long-stride: the transfers of `x` have a stride of 2000000 elements, 1048576 at most available
#>   hint: go through its rows one by one, in a loop around: `for i in range(M)`

#: one of these rows at a time
@kernel
def f(x: In[Tensor[f32, 4, 2000000]], y: Out[Tensor[f32, 4, 2000000]]) -> None:
    for i in range(4):
        for j in tiles(2000000, 1000):
            y[i, j] = x[i, j] + 1.0
#> compiles

#: rounds that wait for each other
@pipeline
def f(x: In[Tensor[f32, 900, 130]], w: In[Tensor[f32, 2, 130]], y: Out[Tensor[f32, 900, 130]]) -> None:
    @process
    def one() -> None:
        total = zeros(f32, 1, 130)
        for m in range(900):
            row = x[m, :]
            for k in range(2):
                total = total + row * w[k, :]
        for m in range(900):
            y[m, :] = total
#> 2:1 error aie.deadlock: `one` is deadlocked: it waits for a block of `x_in`, which is empty
#>   hint: increase the capacity of the channels: `capacity=4`

#: rounds that do not
@pipeline
def f(x: In[Tensor[f32, 900, 130]], w: In[Tensor[f32, 2, 130]], y: Out[Tensor[f32, 1, 130]]) -> None:
    @process
    def one() -> None:
        total = zeros(f32, 1, 130)
        for k in range(2):
            by = w[k, :]
            for m in range(900):
                total = total + x[m, :] * by
        y[0, :] = total
#> compiles
