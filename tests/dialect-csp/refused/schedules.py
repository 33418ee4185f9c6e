#: two schedules
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=2)
    done = channel(f32, tiles(M, 8), N, capacity=2)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])

    @process
    def scale() -> None:
        for i in tiles(M, 8):
            done.put(rows.get() * 2.0)

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = done.get()


@schedule(w)
def one(s: Schedule) -> None:
    s.chain("load", "scale")


@schedule(w)
def other(s: Schedule) -> None:
    s.chain("scale", "store")
#> 2:1 error csp.which-schedule: `w` has several schedules: `one`, `other`
#>   hint: choose one: `--entry one`

#: a schedule of a kernel
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :]


@schedule(k)
def w(s: Schedule) -> None:
    s.chain("load", "store")
#> 7:11 error csp.no-pipeline: `@schedule` takes a pipeline of this file, and `k` is none
#>   hint: name a function that is marked with `@pipeline` of htp_csp

#: a loop in a schedule
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=2)
    done = channel(f32, tiles(M, 8), N, capacity=2)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])

    @process
    def scale() -> None:
        for i in tiles(M, 8):
            done.put(rows.get() * 2.0)

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = done.get()


@schedule(w)
def s(s: Schedule) -> None:
    for k in range(2):
        s.chain("load", "scale")
#> 24:5 error csp.not-a-directive: a schedule of a pipeline is calls of `chain` and `bundle`, and `for k in range(2):` is none
#>   hint: write calls of the schedule's parameter only: `s.chain("scale", "store")`, `s.bundle("work", 2)`

#: a word of another schedule
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=2)
    done = channel(f32, tiles(M, 8), N, capacity=2)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])

    @process
    def scale() -> None:
        for i in tiles(M, 8):
            done.put(rows.get() * 2.0)

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = done.get()


@schedule(w)
def s(s: Schedule) -> None:
    s.tile("i", 8)
#> 24:5 error csp.not-a-directive: a schedule of a pipeline is calls of `chain` and `bundle`, and `s.tile('i', 8)` is none
#>   hint: write calls of the schedule's parameter only: `s.chain("scale", "store")`, `s.bundle("work", 2)`

#: a chain of one
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=2)
    done = channel(f32, tiles(M, 8), N, capacity=2)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])

    @process
    def scale() -> None:
        for i in tiles(M, 8):
            done.put(rows.get() * 2.0)

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = done.get()


@schedule(w)
def s(s: Schedule) -> None:
    s.chain("load")
#> 24:5 error csp.bad-directive: `chain` does not take these arguments
#>   hint: write it like `s.chain("scale", "store")`, or `s.bundle("work", 2)`

#: a chain of a function
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=2)
    done = channel(f32, tiles(M, 8), N, capacity=2)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])

    @process
    def scale() -> None:
        for i in tiles(M, 8):
            done.put(rows.get() * 2.0)

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = done.get()


@schedule(w)
def s(s: Schedule) -> None:
    s.chain(load, scale)
#> 24:5 error csp.bad-directive: `chain` does not take these arguments
#>   hint: write it like `s.chain("scale", "store")`, or `s.bundle("work", 2)`

#: a bundle without a size
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
    s.bundle("work")
#> 26:5 error csp.bad-directive: `bundle` does not take these arguments
#>   hint: write it like `s.chain("scale", "store")`, or `s.bundle("work", 2)`

#: a bundle of none
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
    s.bundle("work", 0)
#> 26:5 error csp.bad-directive: `bundle` does not take these arguments
#>   hint: write it like `s.chain("scale", "store")`, or `s.bundle("work", 2)`

#: a bundle with a keyword
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
    s.bundle("work", size=2)
#> 26:5 error csp.bad-directive: `bundle` does not take these arguments
#>   hint: write it like `s.chain("scale", "store")`, or `s.bundle("work", 2)`

#: a process there is not
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=2)
    done = channel(f32, tiles(M, 8), N, capacity=2)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])

    @process
    def scale() -> None:
        for i in tiles(M, 8):
            done.put(rows.get() * 2.0)

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = done.get()


@schedule(w)
def s(s: Schedule) -> None:
    s.chain("laod", "scale")
#> 24:13 error csp.unknown-process: `w` has no process `laod`
#>   hint: did you mean `load`?

#: a process that is chained already
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=2)
    done = channel(f32, tiles(M, 8), N, capacity=2)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])

    @process
    def scale() -> None:
        for i in tiles(M, 8):
            done.put(rows.get() * 2.0)

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = done.get()


@schedule(w)
def s(s: Schedule) -> None:
    s.chain("load", "scale")
    s.chain("scale", "store")
#> 25:13 error csp.unknown-process: `w` has no process `scale`
#>   hint: there are `load_scale`, `store`
