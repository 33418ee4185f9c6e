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
#>   hint: bind its token to a name, and `wait` for it, or let a `barrier()` follow
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
#>   hint: bind its token to a name, and `wait` for it, or let a `barrier()` follow
#> 8:13 error tile.unwaited: nothing waits for this copy to `h`
#>   9:9 behind this it is gone, and on this way nothing waited for it
#>   hint: bind its token to a name, and `wait` for it, or let a `barrier()` follow
#> 10:9 error tile.unwaited: nothing waits for this copy to `h`
#>   11:5 behind this it is gone, and on this way nothing waited for it
#>   hint: bind its token to a name, and `wait` for it, or let a `barrier()` follow

#: a barrier with nothing to wait for, on any way
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for p in range(M):
        barrier()
        copy_async(y, x[p, :], p, whole)
        barrier()
        barrier()
#> 4:9 error tile.idle-barrier: no copy is on its way at this barrier
#>   hint: leave it out, or begin the copies before it
#> 7:9 error tile.idle-barrier: no copy is on its way at this barrier
#>   hint: leave it out, or begin the copies before it

#: read before the barrier, of another block and of its own
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M + 1, N)
    h[M, :] = x[0, :]
    for i in tiles(M, 8):
        copy_async(h, x[i, :], i, whole)
        y[i, :] = h[i + 1, :]
    for i in tiles(M, 8):
        y[i, :] = h[i, :]
    barrier()
#> 7:19 error tile.in-flight: `h` is read while a copy to it is on its way
#>   6:9 begun here
#>   hint: wait for it before: `barrier()`
#> 9:19 error tile.in-flight: `h` is read while a copy to it is on its way
#>   6:9 begun here
#>   hint: wait for it before: `barrier()`

#: places of iterations that may be one
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, 4, N)
    for p in range(M):
        copy_async(h, x[p, :], p % 4, whole)
    barrier()
    y[:, :] = h[0, :]
#> 5:9 error tile.in-flight: `h` is written while a copy to it is on its way
#>   5:9 begun here in an iteration before
#>   hint: wait for it before: `barrier()`

#: without a barrier, on the way out of a loop, and before a buffer ends
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    n = 0
    while n < 4:
        n += 1
        copy_async(y, x[:, :], whole, whole)
        if holds(x[0, 0] > 0.0):
            break
        barrier()
    y[0, :] = x[0, :]
    for p in range(M):
        h = buffer(f32, N)
        if M > 3:
            copy_async(h, x[p, :], whole)
    barrier()
#> 10:5 error tile.in-flight: `y` is written while a copy to it is on its way
#>   6:9 begun here
#>   hint: wait for it before: `barrier()`
#> 14:13 error tile.unwaited: nothing waits for this copy to `h`
#>   13:9 behind this it is gone, and on this way nothing waited for it
#>   hint: bind its token to a name, and `wait` for it, or let a `barrier()` follow

#: waited for by a barrier, and again; by a barrier on one way
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    a = copy_async(y, x[:, :], whole, whole)
    barrier()
    wait(a)
    b = copy_async(z, x[:, :], whole, whole)
    if M > 3:
        barrier()
    wait(b)
#> 5:10 error tile.waited: `a` has been waited for
#>   4:5 waited for here
#>   hint: leave this `wait` out
#> 8:9 error tile.one-way: `b` is waited for here, and not on each way
#>   6:9 on another way, begun here, it is still on its way
#>   hint: wait for it on each way, and in a loop begin it again in each iteration
