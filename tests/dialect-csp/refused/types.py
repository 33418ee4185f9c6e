#: another dtype
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(i32, tiles(M, 8), N, capacity=2)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = rows.get()
#> 8:22 error csp.item-dtype: `rows` carries i32, and this is f32
#>   hint: cast it: `cast(x_tile, i32)`
#> 13:23 error tile.dtype-mismatch: `tile.store` expects f32, got i32
#>   hint: cast it: `cast(rows.get(), f32)` rounds large ones; or store to a tensor of i32

#: another shape
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, 8, capacity=2)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = rows.get()
#> 8:22 error csp.item-shape: `rows` carries tiles of (i, N, 8), and this has (i, N)
#>   hint: let the channel have the item's extents, or put a tile of the channel's
#> 13:23 error tile.rank-mismatch: `tile.store` needs tiles of 2 dimensions, not `Tile[f32, store_i, N, 8]`
#>   hint: the index selects `store_i, N`, the value has `store_i, N, 8`

#: a tensor
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=2)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            rows.put(x)

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = rows.get()
#> 8:22 error csp.no-item: `x` is no tile that a channel could carry
#>   hint: put a tile: `rows.put(x[i, :])`

#: an item of an event
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    done = event()

    @process
    def load() -> None:
        done.put(x[0, 0])

    @process
    def store() -> None:
        done.get()
        for i in tiles(M, 8):
            y[i, :] = x[i, :]
#> 7:9 error csp.no-arguments: `done.put` takes no arguments
#>   3:12 declared here
#>   hint: leave the arguments out

#: put without an item
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=2)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            rows.put()

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = rows.get()
#> 8:13 error csp.no-item-put: `rows.put` takes one argument, the item
#>   3:12 declared here
#>   hint: pass the tile that is put

#: get with an item
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
            y[i, :] = rows.get(x)
#> 13:23 error csp.no-arguments: `rows.get` takes no arguments
#>   3:12 declared here
#>   hint: leave the arguments out

#: an unknown method
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=2)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            rows.push(x[i, :])

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = rows.get()
#> 8:13 error csp.no-method: `rows` is a channel, and has no `push`
#>   hint: write `put` or `get`

#: a channel as a value
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
            t = rows
            y[i, :] = rows.get()
#> 13:17 error csp.channel-value: `rows` is a channel, and no value
#>   hint: put into it, or get from it, where it stands

#: a word on what is no channel
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=2)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            x.put(x[i, :])

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = rows.get()
#> 8:13 error csp.no-channel: `x` is no channel
#>   hint: name a channel that the pipeline declares

#: an item nobody uses
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
            rows.get()
            y[i, :] = x[i, :]
#> 13:13 error csp.dropped: what is got from `rows` is not used
#>   hint: use it, or bind it to `_` to drop it

#: a process that returns
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=2)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])
        return

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = rows.get()
#> 9:9 error tile.bad-return: a kernel returns nothing
#>   hint: write results to an `Out` parameter, and leave `return` out

#: a process without its mark
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=2)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])


    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = rows.get()
#> 11:5 error csp.no-declaration: a pipeline's body declares channels and processes, and this is neither
#>   hint: mark it with `@process`, or let it stand outside of the pipeline, for processes to call

#: two processes that store the same
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=2)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])
            y[i, :] = x[i, :]

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = rows.get()
#> 14:13 error csp.two-owners: `load` and `store` both use `y`, which one of them stores
#>   9:13 `load` uses it here
#>   hint: let one process store the tensor, and pass it what is to be stored, or let them meet at an event in between

#: an output that nobody stores
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
            _ = rows.get()
#> 2:33 error tile.never-written: `y` is an output, and nothing is stored to it
#>   hint: write it: `y[…] = …`

#: what another process computes
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=2)

    @process
    def load() -> None:
        t = x[0, 0]
        for i in tiles(M, 8):
            rows.put(x[i, :])

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = rows.get() + t
#> 14:36 error tile.use-before-definition: `t` is used before it is bound
#>   7:9 bound here
#>   hint: bind it above, or give it another name than the one that is bound later
