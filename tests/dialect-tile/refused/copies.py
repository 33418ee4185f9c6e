#: read before it is there
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        h = buffer(f32, i, N)
        coming = copy_async(h, x[i, :], i, whole)
        y[i, :] = h[i, :]
        wait(coming)
#> 6:19 error tile.in-flight: `h` is read while a copy to it is on its way
#>   5:18 begun here
#>   hint: wait for it before: `wait(coming)`

#: read in a condition, and by what is copied next
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, N)
    g = buffer(f32, M, N)
    n = 0
    coming = copy_async(h, x[:, :], whole, whole)
    if holds(h[0, 0] > 0.0):
        n = 1
    while n < 8 and holds(h[1, 0] > 0.0):
        n += 1
    other = copy_async(g, h[:, :], whole, whole)
    wait(other)
    wait(coming)
    y[:, :] = g[:, :]
#> 7:14 error tile.in-flight: `h` is read while a copy to it is on its way
#>   6:14 begun here
#>   hint: wait for it before: `wait(coming)`
#> 9:27 error tile.in-flight: `h` is read while a copy to it is on its way
#>   6:14 begun here
#>   hint: wait for it before: `wait(coming)`
#> 11:27 error tile.in-flight: `h` is read while a copy to it is on its way
#>   6:14 begun here
#>   hint: wait for it before: `wait(coming)`

#: not waited for, for different reasons
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    a = copy_async(y, x[:, :], whole, whole)
    a = copy_async(y, x[:, :], whole, whole)
    if M > 1:
        b = copy_async(y, x[:, :], whole, whole)
#> 3:9 error tile.unwaited: nothing waits for this copy to `y`
#>   4:9 `a` stands for another from here on
#>   hint: bind its token to a name, and `wait` for it
#> 4:9 error tile.in-flight: `y` is written while a copy to it is on its way
#>   3:9 begun here
#>   hint: wait for it before: `wait(a)`
#> 6:13 error tile.in-flight: `y` is written while a copy to it is on its way
#>   4:9 begun here
#>   hint: wait for it before: `wait(a)`

#: on one way, in three ways
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, 3, M, N)
    a = copy_async(h, x[:, :], 0, whole, whole)
    b = copy_async(h, x[:, :], 1, whole, whole)
    c = copy_async(h, x[:, :], 2, whole, whole)
    if M > 3:
        wait(a)
    for n in range(M):
        wait(b)
    n = 0
    while n < 3:
        n += 1
        if n == 2:
            wait(c)
            break
    y[:, :] = x[:, :]
#> 8:9 error tile.one-way: `a` is waited for here, and not on each way
#>   4:9 on another way, begun here, it is still on its way
#>   hint: wait for it on each way, and in a loop begin it again in each iteration
#> 10:9 error tile.one-way: `b` is waited for here, and not on each way
#>   5:9 on another way, begun here, it is still on its way
#>   hint: wait for it on each way, and in a loop begin it again in each iteration
#> 15:13 error tile.one-way: `c` is waited for here, and not on each way
#>   6:9 on another way, begun here, it is still on its way
#>   hint: wait for it on each way, and in a loop begin it again in each iteration

#: in the next iteration
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, 2, N)
    h[0, :] = x[0, :]
    coming = copy_async(h, x[0, :], 1, whole)
    for p in range(M):
        y[p, :] = h[0, :]
        wait(coming)
        coming = copy_async(h, x[p, :], 0, whole)
    wait(coming)
#> 7:19 error tile.in-flight: `h` is read while a copy to it is on its way
#>   9:18 begun here
#>   hint: wait for it before: `wait(coming)`

#: twice
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    a = copy_async(y, x[:, :], whole, whole)
    wait(a)
    wait(a)
#> 5:10 error tile.waited: `a` has been waited for
#>   4:5 waited for here
#>   hint: leave this `wait` out

#: what is no token
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = x[:, :]
    wait(M)
#> 4:10 error tile.not-a-token: `wait` takes the token of a copy, not `M`, which is a dim
#>   hint: give it what `copy_async` gave

#: not waited for before an iteration, a branch or the kernel ends
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, 2, M, N)
    for p in range(2):
        g = buffer(f32, M, N)
        a = copy_async(g, x[:, :], whole, whole)
    if M > 1:
        b = copy_async(h, x[:, :], 0, whole, whole)
        y[0, :] = 0.0
    c = copy_async(h, x[:, :], 1, whole, whole)
    y[:, :] = x[:, :]
#> 6:13 error tile.unwaited: nothing waits for this copy to `g`
#>   6:9 behind this it is gone, and on this way nothing waited for it
#>   hint: bind its token to a name, and `wait` for it
#> 8:13 error tile.unwaited: nothing waits for this copy to `h`
#>   9:9 behind this it is gone, and on this way nothing waited for it
#>   hint: bind its token to a name, and `wait` for it
#> 10:9 error tile.unwaited: nothing waits for this copy to `h`
#>   11:5 behind this it is gone, and on this way nothing waited for it
#>   hint: bind its token to a name, and `wait` for it
