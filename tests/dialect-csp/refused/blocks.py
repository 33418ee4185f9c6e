#: no loop over the blocks
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=2)

    @process
    def load() -> None:
        for i in tiles(M, 4):
            rows.put(x[i, :])

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = rows.get()
#> 8:13 error csp.no-block: `rows` carries blocks of `tiles(M, 8)`, and this is in no loop over them
#>   3:12 declared here
#>   hint: put or get in a loop over the same blocks, or give the channel extents that are ints

#: each block twice, in another order
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=2)

    @process
    def load() -> None:
        for k in range(2):
            for i in tiles(M, 8):
                rows.put(x[i, :])

    @process
    def store() -> None:
        for i in tiles(M, 8):
            a = rows.get()
            b = rows.get()
            y[i, :] = a + b
#> 15:17 error csp.other-block: `store` gets item 1 of `rows` at block 0 of `i`, and `load` put it at block 1 at M = 9
#>   9:17 put here
#>   hint: let both loops run over the blocks in the same order, with one item in each

#: blocks in blocks
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), tiles(N, 8), capacity=2)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            for j in tiles(N, 8):
                rows.put(x[i, j])

    @process
    def store() -> None:
        for j in tiles(N, 8):
            for i in tiles(M, 8):
                y[i, j] = rows.get()
#> 15:27 error csp.other-block: `store` gets item 1 of `rows` at block 1 of `i`, and `load` put it at block 0 at M = 9, N = 9
#>   9:17 put here
#>   hint: let both loops run over the blocks in the same order, with one item in each

#: alike to nobody
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=2)

    @process
    def load() -> None:
        for k in range(K):
            for i in tiles(M, 8):
                rows.put(zeros(f32, i, N))

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = x[i, :]
            for k in range(K):
                _ = rows.get()
#> 16:21 error csp.other-block: `store` gets item 1 of `rows` at block 0 of `i`, and `load` put it at block 1 at K = 2, M = 9
#>   9:17 put here
#>   hint: let both loops run over the blocks in the same order, with one item in each

#: rounds in rounds, and as many in one loop
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=2)

    @process
    def load() -> None:
        for k in range(K):
            for n in range(N):
                for i in tiles(M, 8):
                    rows.put(x[i, :])

    @process
    def store() -> None:
        for k in range(K * N):
            for i in tiles(M, 8):
                y[i, :] = rows.get()
#> 16:27 error csp.block-not-shown: that `store` gets each item of `rows` at the block it was put at could not be shown for all sizes
#>   10:21 put here
#>   hint: let both sides have the same loops around, or give the channel extents that are ints

#: places that store the same
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channels(2, f32, 8, N, capacity=2)

    @process
    def load() -> None:
        rows[0].put(zeros(f32, 8, N))
        rows[1].put(zeros(f32, 8, N))

    @process(grid=2)
    def store(k: int) -> None:
        _ = rows[k].get()
        for i in tiles(M, 8):
            y[i, :] = x[i, :]
#> 14:13 error tile.shared-elements: instances of the grid of `store` may store what others store in `y`
#>   14:13 stored here
#>   hint: let each instance store elements of its own, by its indices

#: places that read what others store
@pipeline
def w(y: InOut[Tensor[f32, 2, 1]]) -> None:
    rows = channels(2, f32, 1, 1, capacity=2)

    @process
    def load() -> None:
        rows[0].put(zeros(f32, 1, 1))
        rows[1].put(zeros(f32, 1, 1))

    @process(grid=2)
    def store(k: int) -> None:
        t = rows[k].get()
        y[k, 0] = y[1 - k, 0] + t
#> 13:9 error tile.shared-elements: instances of the grid of `store` may read what others store in `y`
#>   13:19 read here
#>   hint: let each instance store elements of its own, by its indices
