#: a bundle that does not divide
@pipeline
def w(x: In[Tensor[f32, M, 6, N]], y: Out[Tensor[f32, M, 6, N]]) -> None:
    rows = channels(6, f32, 1, 1, N, capacity=1)
    done = channels(6, f32, 1, 1, N, capacity=1)

    @process
    def load() -> None:
        for m in range(M):
            for k in range(6):
                rows[k].put(x[m, k, :])

    @process(grid=6)
    def work(k: int) -> None:
        for _m in range(M):
            done[k].put(rows[k].get() * 2.0)

    @process
    def store() -> None:
        for m in range(M):
            for k in range(6):
                y[m, k, :] = done[k].get()


@schedule(w)
def s(s: Schedule) -> None:
    s.bundle("work", 4)
#> 26:5 error csp.bundle-size: `work` has a grid of 6, which is not bundled by 4
#>   13:5 its grid
#>   hint: give one size for each dimension, each a divisor of it

#: a bundle of two dimensions
@pipeline
def w(x: In[Tensor[f32, M, 6, N]], y: Out[Tensor[f32, M, 6, N]]) -> None:
    rows = channels(6, f32, 1, 1, N, capacity=1)
    done = channels(6, f32, 1, 1, N, capacity=1)

    @process
    def load() -> None:
        for m in range(M):
            for k in range(6):
                rows[k].put(x[m, k, :])

    @process(grid=6)
    def work(k: int) -> None:
        for _m in range(M):
            done[k].put(rows[k].get() * 2.0)

    @process
    def store() -> None:
        for m in range(M):
            for k in range(6):
                y[m, k, :] = done[k].get()


@schedule(w)
def s(s: Schedule) -> None:
    s.bundle("work", 2, 3)
#> 26:5 error csp.bundle-size: `work` has a grid of 6, which is not bundled by 2×3
#>   13:5 its grid
#>   hint: give one size for each dimension, each a divisor of it

#: a bundle of one process
@pipeline
def w(x: In[Tensor[f32, M, 6, N]], y: Out[Tensor[f32, M, 6, N]]) -> None:
    rows = channels(6, f32, 1, 1, N, capacity=1)
    done = channels(6, f32, 1, 1, N, capacity=1)

    @process
    def load() -> None:
        for m in range(M):
            for k in range(6):
                rows[k].put(x[m, k, :])

    @process(grid=6)
    def work(k: int) -> None:
        for _m in range(M):
            done[k].put(rows[k].get() * 2.0)

    @process
    def store() -> None:
        for m in range(M):
            for k in range(6):
                y[m, k, :] = done[k].get()


@schedule(w)
def s(s: Schedule) -> None:
    s.bundle("load", 2)
#> 26:5 error csp.bundle-size: `load` has a grid of no instances, which is not bundled by 2
#>   7:5 its grid
#>   hint: give one size for each dimension, each a divisor of it

#: a bundle of too many
@pipeline
def w(x: In[Tensor[f32, M, 128, N]], y: Out[Tensor[f32, M, 128, N]]) -> None:
    rows = channels(128, f32, 1, 1, N, capacity=1)
    done = channels(128, f32, 1, 1, N, capacity=1)

    @process
    def load() -> None:
        for m in range(M):
            for k in range(128):
                rows[k].put(x[m, k, :])

    @process(grid=128)
    def work(k: int) -> None:
        for _m in range(M):
            done[k].put(rows[k].get() * 2.0)

    @process
    def store() -> None:
        for m in range(M):
            for k in range(128):
                y[m, k, :] = done[k].get()


@schedule(w)
def s(s: Schedule) -> None:
    s.bundle("work", 128)
#> 26:5 error csp.bundle-size: `work` has a grid of 128, which is not bundled by 128
#>   13:5 its grid
#>   hint: give one size for each dimension, each a divisor of it

#: a bundle of readers
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, 2, N]]) -> None:
    rows = channel(f32, 1, N, capacity=2, readers=2)

    @process
    def load() -> None:
        for m in range(M):
            rows.put(x[m, :])

    @process(grid=2)
    def store(k: int) -> None:
        for m in range(M):
            y[m, k, :] = rows.get()


@schedule(w)
def s(s: Schedule) -> None:
    s.bundle("store", 2)
#> 18:5 error csp.both-get: `store` and `store` cannot be one process: each gets all items of `rows`
#>   13:26 each instance gets here
#>   hint: give each a channel of its own, or leave them apart

#: workers that take turns one after the other
@pipeline
def w(x: In[Tensor[f32, M, 6, N]], y: Out[Tensor[f32, M, 6, N]]) -> None:
    rows = channels(6, f32, 1, 1, N, capacity=1)
    done = channels(6, f32, 1, 1, N, capacity=1)

    @process
    def load() -> None:
        for m in range(M):
            for k in range(6):
                rows[k].put(x[m, k, :])

    @process(grid=6)
    def work(k: int) -> None:
        for _m in range(k, M + k):
            done[k].put(rows[k].get() * 2.0)

    @process
    def store() -> None:
        for m in range(M):
            for k in range(6):
                y[m, k, :] = done[k].get()


@schedule(w)
def s(s: Schedule) -> None:
    s.bundle("work", 2)
#> 10:17 error csp.deadlock: `load` and `work[0]` wait for each other at M = 3
#>   10:17 `load` waits to put into `rows[1]`, which is full: 1 of 1, in iteration 1 of `m`
#>   15:25 `work[0]` waits to get from `rows[0]`, which is empty, in iteration 2 of `_m`
#>   26:5 with this
#>   hint: `rows` with `capacity=2` and `done` with `capacity=2` together are enough at M = 3, and not at all sizes: get from it earlier
