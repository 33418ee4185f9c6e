#: an item whose name is bound anew
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, 1, N, capacity=1)

    @process
    def load() -> None:
        for m in range(2 * M):
            rows.put(zeros(f32, 1, N))

    @process
    def store() -> None:
        for m in range(M):
            row = rows.get()
            row = rows.get()
            y[m, :] = row
#> 13:13 error csp.dropped: what is got from `rows` is not used
#>   14:13 `row` is bound to another value here
#>   hint: use it, or bind it to `_` to drop it

#: an item that is used one way only
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, 1, N, capacity=1)

    @process
    def load() -> None:
        for m in range(M):
            rows.put(x[m, :])

    @process
    def store() -> None:
        for m in range(M):
            row = rows.get()
            if m > 0:
                y[m, :] = row
            else:
                y[m, :] = x[m, :]
#> 13:13 error csp.maybe-dropped: what is got from `rows` is not used on every path
#>   14:16 here it is, one way
#>   hint: use it on every path, or bind it to `_` to drop it

#: an item that data decides about
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, 1, N, capacity=1)

    @process
    def load() -> None:
        for m in range(M):
            rows.put(x[m, :])

    @process
    def store() -> None:
        for m in range(M):
            row = rows.get()
            y[m, :] = 0.0
            if holds(x[0, 0] > 0.0):
                y[m, :] = row
#> 13:13 error csp.maybe-dropped: what is got from `rows` is not used on every path
#>   15:16 here it is, one way
#>   hint: use it on every path, or bind it to `_` to drop it

#: the last item of a loop
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, 1, N, capacity=1)

    @process
    def load() -> None:
        for m in range(M + 1):
            rows.put(zeros(f32, 1, N))

    @process
    def store() -> None:
        row = rows.get()
        for m in range(M):
            y[m, :] = row
            row = rows.get()
#> 15:13 error csp.maybe-dropped: what is got from `rows` is not used on every path
#>   13:18 in its next iteration it is, but not behind its last one
#>   hint: use it on every path, or bind it to `_` to drop it

#: an item of each lane, of which the last is used
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    lanes = channels(3, f32, 1, N, capacity=1)

    @process(grid=3)
    def load(g: int) -> None:
        lanes[g].put(zeros(f32, 1, N))

    @process
    def store() -> None:
        row = zeros(f32, 1, N)
        for g in range(3):
            row = lanes[g].get()
        for m in range(M):
            y[m, :] = row
#> 13:13 error csp.dropped: what is got from `lanes[g]` is not used
#>   note: the next iteration binds `row` to another one
#>   hint: use it, or bind it to `_` to drop it
