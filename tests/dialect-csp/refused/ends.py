#: nobody gets
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=2)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = x[i, :]
#> 3:12 error csp.never-read: nobody gets from `rows`
#>   hint: get from it in a process, or take the channel out

#: nobody puts
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=2)

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = rows.get()
#> 3:12 error csp.never-written: nobody puts into `rows`
#>   hint: put into it in a process, or take the channel out

#: two writers
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=2)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])

    @process
    def again() -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = rows.get()
#> 13:13 error csp.two-writers: `load` and `again` both put into `rows`
#>   8:13 `load` puts here
#>   hint: give each a channel of its own

#: two readers of one
@pipeline
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

    @process
    def again() -> None:
        for i in tiles(M, 8):
            _ = rows.get()
#> 3:12 error csp.readers: 2 processes get from `rows`, which has 1
#>   13:23 `store` gets here
#>   18:17 `again` gets here
#>   hint: write `readers=` with their number, or give each a channel of its own

#: one reader of two
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=2, readers=2)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = rows.get()
#> 3:12 error csp.readers: 1 processes get from `rows`, which has 2
#>   13:23 `store` gets here
#>   hint: write `readers=` with their number, or give each a channel of its own

#: a grid that writes one channel
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=2)

    @process(grid=2)
    def load(k: int) -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = rows.get()
#> 8:13 error csp.two-writers: `load[0]` and `load[1]` both put into `rows`
#>   8:13 `load[0]` puts here
#>   hint: give each a channel of its own

#: a place beyond the array
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channels(P, f32, tiles(M, 8), N, capacity=2)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            rows[3].put(x[i, :])

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = rows[0].get()
#> 8:13 error csp.no-such-channel: there is no channel `rows[3]`
#>   hint: index the array within its extents, with ints that are known when compiling

#: an array without an index
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channels(P, f32, tiles(M, 8), N, capacity=2)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = rows.get()
#> 8:13 error csp.no-such-channel: there is no channel `rows`
#>   hint: index the array within its extents, with ints that are known when compiling

#: an index of a loop
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channels(P, f32, 8, 8, capacity=2)

    @process
    def load() -> None:
        for k in range(3):
            rows[k].put(zeros(f32, 8, 8))

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = rows[0].get()
#> 3:12 error csp.never-read: nobody gets from `rows[1]`
#>   hint: get from it in a process, or take the channel out
#> 3:12 error csp.never-read: nobody gets from `rows[2]`
#>   hint: get from it in a process, or take the channel out

#: a channel that is indexed
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=2)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            rows[0].put(x[i, :])

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = rows.get()
#> 8:13 error csp.no-such-channel: there is no channel `rows[0]`
#>   hint: index the array within its extents, with ints that are known when compiling
