#: blocks of other sizes
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, 1, N, capacity=2)

    @process
    def load() -> None:
        for i in tiles(M, 1):
            rows.put(zeros(f32, 1, N))

    @process
    def store() -> None:
        for i in tiles(M, 2):
            _ = rows.get()
            y[i, :] = x[i, :]
#> 8:13 error csp.unequal: `load` puts 2 items into `rows`, and `store` gets 1 at M = 2
#>   13:17 got here
#>   hint: put and get as often: in loops of as many iterations, under the same conditions

#: one more
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, 8, N, capacity=2)

    @process
    def load() -> None:
        for i in range(4):
            rows.put(zeros(f32, 8, N))
        rows.put(zeros(f32, 8, N))

    @process
    def store() -> None:
        for i in range(4):
            _ = rows.get()
        for i in tiles(M, 8):
            y[i, :] = x[i, :]
#> 8:13 error csp.unequal: `load` puts 5 items into `rows`, and `store` gets 4
#>   9:9 and put here
#>   14:17 got here
#>   hint: put and get as often: in loops of as many iterations, under the same conditions

#: rows and columns
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, 1, 1, capacity=1)

    @process
    def load() -> None:
        for i in tiles(M, 4):
            rows.put(zeros(f32, 1, 1))

    @process
    def store() -> None:
        for j in tiles(N, 4):
            _ = rows.get()
        for i in tiles(M, 8):
            y[i, :] = x[i, :]
#> 8:13 error csp.unequal: `load` puts 2 items into `rows`, and `store` gets 1 at M = 5, N = 1
#>   13:17 got here
#>   hint: put and get as often: in loops of as many iterations, under the same conditions

#: a put that depends on data
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, 1, capacity=2)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            if x[0, 0] > 0.0:
                rows.put(zeros(f32, 1))

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = x[i, :]
            _ = rows.get()
#> 8:16 error csp.rate-of-data: how often this `if` uses channels is not known when compiling
#>   hint: put and get outside of it, or the same on both ways; or declare the channel `checked=True`, and close it

#: a while around
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, 1, capacity=2)

    @process
    def load() -> None:
        n = 5
        while n > 0:
            n = n - 1
            rows.put(zeros(f32, 1))

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = x[i, :]
            _ = rows.get()
#> 8:9 error csp.rate-of-data: how often this `while` uses channels is not known when compiling
#>   hint: put and get outside of it, or the same on both ways; or declare the channel `checked=True`, and close it

#: iterations at the same time
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=2)

    @process
    def load() -> None:
        for i in htp.parallel(tiles(M, 8), level="core"):
            rows.put(x[i, :])

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = rows.get()
#> 7:18 error csp.parallel: iterations of `i` run at the same time, and use a channel
#>   8:13 a channel is used here
#>   hint: run the loop in order, or use an array of channels and a process for each

#: a number that is a product
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, 1, capacity=1)

    @process
    def load() -> None:
        for i in range(M):
            for j in range(i * i):
                rows.put(zeros(f32, 1))

    @process
    def store() -> None:
        for i in range(M):
            for j in range(i * i):
                _ = rows.get()
        for i in tiles(M, 8):
            y[i, :] = x[i, :]
#> 8:22 error csp.rate-of-data: how often this `for` uses channels is not known when compiling
#>   hint: put and get outside of it, or the same on both ways; or declare the channel `checked=True`, and close it

#: what could not be shown
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, 1, capacity=1)
    back = channel(f32, 1, capacity=1)

    @process
    def load() -> None:
        for i in range(M):
            for j in range(N):
                rows.put(zeros(f32, 1))
        for j in range(N):
            _ = back.get()

    @process
    def store() -> None:
        for j in range(N):
            for i in range(M):
                _ = rows.get()
            back.put(zeros(f32, 1))
        for i in tiles(M, 8):
            y[i, :] = x[i, :]
#> 10:17 error csp.deadlock: `load` and `store` wait for each other at M = 2, N = 3
#>   10:17 `load` waits to put into `rows`, which is full: 1 of 1, in iteration 1 of `i`, 2 of `j`
#>   19:13 `store` waits to put into `back`, which is full: 1 of 1, in iteration 1 of `j`
#>   note: under plain Python every order of the processes comes to this at M = 2, N = 3; one of them: 6 moves, then `store` gets from `rows` in line 18 (0 of 1), `load` puts into `rows` in line 10 (1 of 1), `store` gets from `rows` in line 18 (0 of 1), `load` puts into `rows` in line 10 (1 of 1)
#>   note: to replay it: python3 -m htp_csp program.py w M=2 N=3 --order 'load store load store*2 load store load store load'
#>   hint: `back` with `capacity=2` is enough at M = 2, N = 3, and not at all sizes: get from it earlier

#: a condition that gets
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, 1, capacity=1)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            rows.put(zeros(f32, 1))

    @process
    def store() -> None:
        for i in tiles(M, 8):
            if holds(x[0, 0] > 0.0) and holds(rows.get() > 0.0):
                y[i, :] = x[i, :]
#> 13:16 error csp.rate-of-data: how often this `and` uses channels is not known when compiling
#>   hint: put and get outside of it, or the same on both ways; or declare the channel `checked=True`, and close it

#: a loop that is left
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, 1, capacity=1)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            rows.put(zeros(f32, 1))
            if holds(x[0, 0] > 0.0):
                break

    @process
    def store() -> None:
        for i in tiles(M, 8):
            _ = rows.get()
            y[i, :] = x[i, :]
#> 10:17 error csp.rate-of-data: how often this `break` uses channels is not known when compiling
#>   hint: put and get outside of it, or the same on both ways; or declare the channel `checked=True`, and close it

#: a while that gets
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, 1, capacity=1)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            rows.put(zeros(f32, 1))

    @process
    def store() -> None:
        while holds(rows.get() > 0.0):
            for i in tiles(M, 8):
                y[i, :] = x[i, :]
#> 12:9 error csp.rate-of-data: how often this `while` uses channels is not known when compiling
#>   hint: put and get outside of it, or the same on both ways; or declare the channel `checked=True`, and close it

#: another nesting
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, 1, capacity=1)
    answers = channel(f32, 1, capacity=1)

    @process
    def load() -> None:
        for i in range(M):
            for j in range(N):
                rows.put(zeros(f32, 1))
                _ = answers.get()

    @process
    def store() -> None:
        for j in range(N):
            for i in range(M):
                answers.put(rows.get())
        for i in tiles(M, 8):
            y[i, :] = x[i, :]
#> 10:17 error csp.not-shown: that the pipeline never gets stuck could not be shown for all sizes
#>   hint: write `@pipeline(checked=True)` to have it checked when it runs, or let both sides of a channel have loops that are alike

#: a condition on one side
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, 1, N, capacity=1)

    @process
    def load() -> None:
        for m in range(M):
            if m > 0:
                rows.put(x[m, :])

    @process
    def store() -> None:
        for m in range(M):
            y[m, :] = rows.get()
#> 9:17 error csp.unequal: `load` puts 0 items into `rows`, and `store` gets 1 at M = 1
#>   14:23 got here
#>   hint: put and get as often: in loops of as many iterations, under the same conditions

#: a condition on a product of loops
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, 1, N, capacity=1)

    @process
    def load() -> None:
        for m in range(M):
            for k in range(M):
                if m * k > 2:
                    rows.put(x[m, :])

    @process
    def store() -> None:
        for m in range(M):
            y[m, :] = rows.get()
#> 9:20 error csp.rate-of-data: how often this `if` uses channels is not known when compiling
#>   hint: put and get outside of it, or the same on both ways; or declare the channel `checked=True`, and close it

#: a product beside one of its sizes
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, 1, N, capacity=1)

    @process
    def load() -> None:
        for k in range(M * N):
            rows.put(x[k // N, :])

    @process
    def store() -> None:
        for m in range(M):
            y[m, :] = rows.get()
#> 8:13 error csp.unequal: `load` puts 2 items into `rows`, and `store` gets 1 at M = 1, N = 2
#>   13:23 got here
#>   hint: put and get as often: in loops of as many iterations, under the same conditions

#: half of a size and not the other
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, 1, N, capacity=1)

    @process
    def load() -> None:
        for m in range(M // 2, M):
            rows.put(x[m, :])

    @process
    def store() -> None:
        for m in range(M // 2):
            y[m, :] = rows.get()
        for m in range(M // 2, M):
            y[m, :] = 0.0
#> 8:13 error csp.unequal: `load` puts 1 items into `rows`, and `store` gets 0 at M = 1
#>   13:23 got here
#>   hint: put and get as often: in loops of as many iterations, under the same conditions

#: an item more, which says how often
@pipeline
def w(x: In[Tensor[i32, M]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(i32, 1, capacity=2)

    @process
    def load() -> None:
        rows.put(x[0])

    @process
    def store() -> None:
        first = index(rows.get())
        for _n in range(index(rows.get()) + first):
            pass
        for i in tiles(M, 8):
            y[i, :] = zeros(f32, i, N)
#> 7:9 error csp.unequal: `load` puts 1 items into `rows`, and `store` gets 2
#>   11:23 got here
#>   12:31 and got here
#>   hint: put and get as often: in loops of as many iterations, under the same conditions
