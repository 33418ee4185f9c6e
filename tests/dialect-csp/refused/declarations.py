#: a statement that computes
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=2)
    t = x[0, 0]

    @process
    def load() -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = rows.get()
#> 4:5 error csp.no-declaration: a pipeline's body declares channels and processes, and this is neither
#>   hint: move it into a process

#: a loop in the body
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for k in range(2):
        rows = channel(f32, 8, N, capacity=2)
#> 3:5 error csp.no-declaration: a pipeline's body declares channels and processes, and this is neither
#>   hint: move it into a process

#: two channels by one statement
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    a, b = channel(f32, 8, N, capacity=2), channel(f32, 8, N, capacity=2)
#> 3:5 error csp.no-declaration: a pipeline's body declares channels and processes, and this is neither
#>   hint: move it into a process

#: a channel without a capacity
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = rows.get()
#> 3:12 error csp.bad-channel: `channel` does not take these arguments
#>   hint: say how many items it holds: `capacity=2`

#: a channel of nothing
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(capacity=2)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = rows.get()
#> 3:12 error csp.bad-channel: `channel` does not take these arguments
#>   hint: write `channel(f32, 8, N, capacity=2)`, with a dtype, extents, and how many items it holds; `channels((4, 4), …)` with an array's extents first; or `event()`

#: an array without extents
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channels(capacity=2)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = rows.get()
#> 3:12 error csp.bad-channel: `channels` does not take these arguments
#>   hint: write `channel(f32, 8, N, capacity=2)`, with a dtype, extents, and how many items it holds; `channels((4, 4), …)` with an array's extents first; or `event()`

#: an event with a capacity
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    done = event(capacity=2)

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = rows.get()
#> 3:18 error csp.bad-channel: `event` does not take these arguments
#>   hint: an event holds nothing: write `event()`, or `event(readers=2)`

#: a capacity below zero
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=-1)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = rows.get()
#> 3:50 error csp.bad-number: `capacity` is a compile-time int of at least 0, not `-1`
#>   hint: write an int, or a constant of the module

#: a capacity that is a size
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=N)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = rows.get()
#> 3:50 error csp.bad-number: `capacity` is a compile-time int of at least 0, not `N`
#>   hint: write an int, or a constant of the module

#: no readers
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=2, readers=0)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = rows.get()
#> 3:61 error csp.bad-number: `readers` is a compile-time int of at least 1, not `0`
#>   hint: write an int, or a constant of the module

#: an array of no channels
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channels((2, 0), f32, 8, N, capacity=2)
#> 3:25 error csp.bad-number: an extent is a compile-time int of at least 1, not `0`
#>   hint: write an int, or a constant of the module

#: a grid without parameters
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=2)

    @process(grid=2)
    def load() -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = rows.get()
#> 6:5 error csp.grid-parameters: the process `load` has 0 parameters, and its grid 1 dimensions
#>   hint: give it one parameter for each dimension of its grid, and one for each of `args=`

#: parameters without a grid
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=2)

    @process
    def load(k: int) -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = rows.get()
#> 6:5 error csp.grid-parameters: the process `load` has 1 parameters, and its grid 0 dimensions
#>   hint: give it one parameter for each dimension of its grid, and one for each of `args=`

#: a grid of a size
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=2)

    @process(grid=M)
    def load(k: int) -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = rows.get()
#> 5:19 error csp.bad-number: an extent is a compile-time int of at least 1, not `M`
#>   hint: write an int, or a constant of the module

#: an argument of the pipeline
@pipeline(checked=1)
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=2)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = rows.get()
#> 1:11 error csp.bad-pipeline: `pipeline` takes `checked=True`, and nothing else
#>   hint: write `@pipeline`, or `@pipeline(checked=True)`

#: an unknown argument of the pipeline
@pipeline(depth=2)
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=2)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = rows.get()
#> 1:11 error csp.bad-pipeline: `pipeline` takes `checked=True`, and nothing else
#>   hint: write `@pipeline`, or `@pipeline(checked=True)`

#: a kernel
@kernel
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :]
#> 2:1 error csp.not-pipeline: `w` is no pipeline
#>   hint: decorate it with `@pipeline` of htp_csp

#: a buffer that processes would share
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    t = buffer(f32, M, N)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            t[i, :] = x[i, :]

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = t[i, :]
#> 3:5 error csp.no-declaration: a pipeline's body declares channels and processes, and this is neither
#>   hint: a buffer is one process's own: pass its tiles to others through a channel, or let the pipeline have an `InOut` tensor, which one process hands over to another at an event

#: a function that is no process
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    def load() -> None:
        for i in tiles(M, 8):
            y[i, :] = x[i, :]
#> 3:5 error csp.no-declaration: a pipeline's body declares channels and processes, and this is neither
#>   hint: mark it with `@process`, or let it stand outside of the pipeline, for processes to call

#: a channel that does not say how much it holds
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            y[i, :] = x[i, :]
#> 3:12 error csp.bad-channel: `channel` does not take these arguments
#>   hint: say how many items it holds: `capacity=2`

#: an index of a grid that is bound anew
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    a = channel(f32, 1, N, capacity=2)

    @process(grid=1)
    def fill(g: int) -> None:
        g = 5
        for k in range(g + 1):
            a.put(x[0, :])

    @process
    def empty() -> None:
        y[0, :] = a.get()
#> 7:9 error csp.index-bound: `g` is an index of the grid of `fill`, and is bound anew
#>   hint: use another name

#: an array of broadcasts
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    lanes = channels(2, f32, 1, N, capacity=1, readers=2)

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = x[i, :]
#> 3:48 error csp.bad-channel: `channels` does not take these arguments
#>   hint: a broadcast is declared by itself, `rows = channel(f32, 8, N, capacity=2, readers=2)`: an array has one reader for each channel

#: a list of events
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    done = [event(), event()]

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = x[i, :]
#> 3:5 error csp.no-declaration: a pipeline's body declares channels and processes, and this is neither
#>   hint: each event is declared by itself: `done = event()`

#: an array of more channels than there are numbers
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channels((4294967296, 4294967296), f32, 1, N, capacity=1)

    @process
    def run() -> None:
        for i in tiles(M, 8):
            y[i, :] = x[i, :]
#> 3:21 error csp.many-positions: `(4294967296, 4294967296)` has more than 65536 positions
#>   hint: use fewer, which take several blocks each in a loop

#: a grid of too many processes
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    @process(grid=(65536, 2))
    def run(a: int, b: int) -> None:
        pass
#> 3:19 error csp.many-positions: `(65536, 2)` has more than 65536 positions
#>   hint: use fewer, which take several blocks each in a loop
