import htp
from htp import In, InOut, Out, bf16, bool_, f16, f32, f64, i8, i16, i32, i64, u8, u16, u32
from htp_csp import channel, channels, pipeline, process
from htp_tile import Tensor, Tile, argmax, argtopk, buffer, cast, exp, full, gather, index, iota, kernel, load, matmul, maximum, reduce_max, reduce_sum, reshape, scan_sum, tiles, topk, transpose, where, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


#: a branch with an item more
@pipeline
def program(x: In[Tensor[f32, M, 8]], y: Out[Tensor[f32, M, 8]]) -> None:
    a = channel(f32, 1, 8, capacity=2)

    @process
    def first() -> None:
        for m in range(M):
            if m > 0:
                a.put(x[m, :])
        a.put(x[0, :])

    @process
    def second() -> None:
        for m in range(M):
            y[m, :] = a.get()
#> 8:13 error a2a3.item-branch: this branch decides how many items `a` has
#>   hint: put and get as many on both ways: behind the `if`, or with an `else:`

#: a size that decides whether there are items
@pipeline
def program(x: In[Tensor[f32, M, 8]], y: Out[Tensor[f32, M, 8]]) -> None:
    a = channel(f32, 1, 8, capacity=2)

    @process
    def first() -> None:
        for m in range(M):
            if M > 64:
                a.put(x[m, :])

    @process
    def second() -> None:
        for m in range(M):
            if M > 64:
                y[m, :] = a.get()
            else:
                y[m, :] = x[m, :]
#> 8:13 error a2a3.item-branch: this branch decides how many items `a` has
#>   hint: put and get as many on both ways: behind the `if`, or with an `else:`

#: a loop that goes round more often each time
@pipeline
def program(x: In[Tensor[f32, M, 8]], y: Out[Tensor[f32, M, 8]]) -> None:
    a = channel(f32, 1, 8, capacity=2)

    @process
    def first() -> None:
        for m in range(M):
            for p in range(m):
                a.put(x[p, :])

    @process
    def second() -> None:
        y[:, :] = x[:, :]
        for m in range(M):
            for p in range(m):
                y[m, :] = a.get()
#> 7:9 error a2a3.item-count: the number of items of `a` depends on more than sizes
#>   hint: let loops count to sizes: `for m in range(M)`

#: as many items each way
@pipeline
def program(x: In[Tensor[f32, M, 8]], y: Out[Tensor[f32, M, 8]]) -> None:
    a = channel(f32, 1, 8, capacity=2)

    @process
    def first() -> None:
        for m in range(M):
            a.put(x[m, :])

    @process
    def second() -> None:
        for m in range(M):
            y[m, :] = a.get()
#> compiles

#: an item in no name
@pipeline
def program(x: In[Tensor[f32, M, 8]], y: Out[Tensor[f32, M, 8]]) -> None:
    a = channel(f32, 1, 8, capacity=2)

    @process
    def first() -> None:
        for m in range(M):
            a.put(x[m, :])

    @process
    def second() -> None:
        for m in range(M):
            y[m, :] = a.get() + a.get()
#> 8:13 error csp.unequal: `first` puts 1 items into `a`, and `second` gets 2 at M = 1
#>   13:23 got here
#>   13:33 and got here
#>   hint: put and get as often: in loops of as many iterations, under the same conditions

#: as many items as the outer iteration says
@pipeline
def program(x: In[Tensor[f32, M, 8]], y: Out[Tensor[f32, M, 8]]) -> None:
    a = channel(f32, 1, 8, capacity=2)

    @process
    def first() -> None:
        for i in range(3):
            for j in range(i + 1):
                a.put(x[0, :] + 1.0)

    @process
    def second() -> None:
        for i in range(3):
            for j in range(i + 1):
                y[0, :] = a.get()
        for m in range(M):
            y[m, :] = x[m, :]
#> 9:17 error a2a3.uneven-items: iterations or instances put or get different numbers of items of `a`
#>   hint: put or get as many in each: `for k in range(3)`

#: as many items in each
@pipeline
def program(x: In[Tensor[f32, M, 8]], y: Out[Tensor[f32, M, 8]]) -> None:
    a = channel(f32, 1, 8, capacity=2)

    @process
    def first() -> None:
        for i in range(3):
            for j in range(3):
                a.put(x[0, :] + 1.0)

    @process
    def second() -> None:
        for i in range(3):
            for j in range(3):
                y[0, :] = a.get()
        for m in range(M):
            y[m, :] = x[m, :]
#> compiles

#: processes that get from each other
@pipeline
def program(x: In[Tensor[f32, M, 8]], y: Out[Tensor[f32, M, 8]]) -> None:
    a = channel(f32, 1, 8, capacity=2)
    b = channel(f32, 1, 8, capacity=2)

    @process
    def first() -> None:
        a.put(x[0, :])
        for m in range(M):
            row = b.get()
            y[m, :] = row
            a.put(row)

    @process
    def second() -> None:
        for m in range(M):
            b.put(a.get() + 1.0)
        _ = a.get()
#> 7:5 error a2a3.circular: `first` and `second` get from each other
#>   hint: let both put and get in one loop each, over the same, what they get in the iteration in which it is put, or let one process do what both do

#: in one loop each
@pipeline
def program(x: In[Tensor[f32, M, 8]], y: Out[Tensor[f32, M, 8]]) -> None:
    a = channel(f32, 1, 8, capacity=2)
    b = channel(f32, 1, 8, capacity=2)

    @process
    def first() -> None:
        for m in range(M):
            a.put(x[m, :])
            y[m, :] = b.get()

    @process
    def second() -> None:
        for m in range(M):
            b.put(a.get() + 1.0)
#> compiles

#: puts in a `while`
@pipeline
def program(x: In[Tensor[f32, 3, 8]], y: Out[Tensor[f32, 3, 8]]) -> None:
    a = channel(f32, 1, 8, capacity=2)

    @process
    def first() -> None:
        n = 0
        while n < 3:
            a.put(x[0, :])
            n = n + 1

    @process
    def second() -> None:
        for m in range(3):
            y[m, :] = a.get()
#> 8:9 error csp.rate-of-data: how often this `while` uses channels is not known when compiling
#>   hint: put and get outside of it, or the same on both ways; or declare the channel `checked=True`, and close it

#: puts in a `for`
@pipeline
def program(x: In[Tensor[f32, 3, 8]], y: Out[Tensor[f32, 3, 8]]) -> None:
    a = channel(f32, 1, 8, capacity=2)

    @process
    def first() -> None:
        for n in range(3):
            a.put(x[n, :])

    @process
    def second() -> None:
        for m in range(3):
            y[m, :] = a.get()
#> compiles

#: instances that get from each other
@pipeline
def program(x: In[Tensor[f32, 3, M, N]], y: Out[Tensor[f32, 3, M, N]]) -> None:
    ring = channels(3, f32, 1, 1, N, capacity=1)

    @process(grid=3)
    def node(p: int) -> None:
        for m in range(M):
            ring[p].put(x[p, m, :])
            y[p, m, :] = ring[(p + 2) % 3].get()
#> 6:5 error a2a3.circular-instances: instances of `node` get from each other
#>   hint: let one process put and another one get, both with `grid=`: what is put is there before anything is got

#: one process that puts and one that gets
@pipeline
def program(x: In[Tensor[f32, 3, M, N]], y: Out[Tensor[f32, 3, M, N]]) -> None:
    ring = channels(3, f32, 1, 1, N, capacity=1)

    @process(grid=3)
    def node(p: int) -> None:
        for m in range(M):
            ring[p].put(x[p, m, :])

    @process(grid=3)
    def other(p: int) -> None:
        for m in range(M):
            y[p, m, :] = ring[(p + 2) % 3].get()
#> compiles

#: a checked channel
@pipeline
def program(x: In[Tensor[f32, M, 8]], y: Out[Tensor[f32, M, 8]]) -> None:
    kept = channel(f32, 1, 8, capacity=2, checked=True)

    @process
    def first() -> None:
        for m in range(M):
            kept.put(x[m, :])
        kept.close()

    @process
    def second() -> None:
        for m in range(M):
            y[m, :] = kept.get()
#> 3:43 error a2a3.checked-channel: how many items a checked channel carries, data decides, and the cores have no such channels
#>   hint: compile it for the CPU, or count the items and leave `checked=True` out
