#: a chain of a grid and none
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
    s.chain("load", "work")
#> 26:21 error csp.other-grid: `load` and `work` are not two processes of one grid
#>   7:5 one of the two
#>   13:5 the other
#>   hint: give both the same grid, or bundle the instances of one first

#: a chain of one with itself
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
    s.chain("load", "load")
#> 24:21 error csp.other-grid: `load` and `load` are not two processes of one grid
#>   7:5 one of the two
#>   7:5 the other
#>   hint: give both the same grid, or bundle the instances of one first

#: a chain of the ends
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
    s.chain("load", "store")
#> 24:5 error csp.not-joined: no channel goes from `load` to `store`
#>   hint: name the process that puts first, and the one that gets from it behind it

#: a chain against the order
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
    s.chain("scale", "load")
#> 24:5 error csp.not-joined: no channel goes from `scale` to `load`
#>   hint: name the process that puts first, and the one that gets from it behind it

#: a chain of two readers
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=2, readers=2)
    sums = channel(f32, tiles(M, 8), 1, capacity=2)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])

    @process
    def add() -> None:
        for i in tiles(M, 8):
            sums.put(reduce_sum(rows.get(), axis=1))

    @process
    def divide() -> None:
        for i in tiles(M, 8):
            y[i, :] = rows.get() / sums.get()


@schedule(w)
def s(s: Schedule) -> None:
    s.chain("add", "divide")
#> 24:5 error csp.both-get: `add` and `divide` cannot be one process: each gets all items of `rows`
#>   14:33 `add` gets here
#>   19:23 `divide` gets here
#>   hint: give each a channel of its own, or leave them apart

#: all sums before the rows
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, 1, N, capacity=2)

    @process
    def load() -> None:
        for m in range(M):
            rows.put(x[m, :])

    @process
    def store() -> None:
        total = zeros(f32, 1, N)
        for m in range(M - 1):
            total += rows.get()
        y[0, :] = rows.get() + total
        for m in range(1, M):
            y[m, :] = total


@schedule(w)
def s(s: Schedule) -> None:
    s.chain("load", "store")
#> 8:13 error csp.waits-for-itself: `load_store` waits for itself at M = 3
#>   8:13 `load_store` waits to put into `rows`, which is full: 2 of 2, in iteration 2 of `m`
#>   22:5 with this
#>   hint: `rows` with `capacity=3` is enough at M = 3, and not at all sizes: get from it earlier

#: an answer that comes later
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    asked = channel(f32, tiles(M, 8), N, capacity=1)
    answers = channel(f32, tiles(M, 8), N, capacity=1)

    @process
    def ask() -> None:
        for i in tiles(M, 8):
            asked.put(x[i, :])
            y[i, :] = answers.get()

    @process
    def answer() -> None:
        for i in tiles(M, 8):
            answers.put(asked.get() * 2.0)


@schedule(w)
def s(s: Schedule) -> None:
    s.chain("ask", "answer")
#> 10:23 error csp.waits-for-itself: `ask_answer` waits for itself at M = 1
#>   10:23 `ask_answer` waits to get from `answers`, which is empty, in iteration 0 of `i`
#>   20:5 with this
#>   note: no capacity helps: each gets before it puts
#>   hint: put an item before you get it, and give the channel the capacity for what is put meanwhile

#: lanes of one array that do not join them
@pipeline
def p(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    lanes = channels(2, f32, 1, N, capacity=1)

    @process
    def load() -> None:
        for m in range(M):
            lanes[0].put(x[m, :])

    @process
    def store() -> None:
        for m in range(M):
            y[m, :] = lanes[0].get()

    @process
    def other() -> None:
        for m in range(M):
            lanes[1].put(x[m, :])

    @process
    def last() -> None:
        for m in range(M):
            z[m, :] = lanes[1].get()

@schedule(p)
def w(s: Schedule) -> None:
    s.chain("load", "last")
#> 27:5 error csp.not-joined: no channel goes from `load` to `last`
#>   hint: name the process that puts first, and the one that gets from it behind it
