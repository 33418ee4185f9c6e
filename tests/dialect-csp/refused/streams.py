#: a loop over a channel with an else
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, 1, N]]) -> None:
    kept = channel(f32, 1, N, capacity=2, checked=True)

    @process
    def load() -> None:
        for m in range(M):
            kept.put(x[m, :])
        kept.close()

    @process
    def find() -> None:
        total = zeros(f32, 1, N)
        for row in kept:
            total = total + row
        else:
            total = total * 2
        y[:, :] = total
#> 17:13 error csp.bad-items: a loop over `kept` has no `else`
#>   hint: write it behind the loop

#: an item of two names
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, 1, N]]) -> None:
    kept = channel(f32, 1, N, capacity=2, checked=True)

    @process
    def load() -> None:
        for m in range(M):
            kept.put(x[m, :])
        kept.close()

    @process
    def find() -> None:
        total = zeros(f32, 1, N)
        for row, more in kept:
            total = total + row
        y[:, :] = total
#> 14:13 error csp.bad-items: a loop over `kept` gives each item one name
#>   hint: a loop has one name: `for row in kept:`

#: an iteration over a channel that is left
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, 1, N]]) -> None:
    kept = channel(f32, 1, N, capacity=2, checked=True)

    @process
    def load() -> None:
        for m in range(M):
            kept.put(x[m, :])
        kept.close()

    @process
    def find() -> None:
        total = zeros(f32, 1, N)
        for row in kept:
            if holds(row[0, 0] > 0):
                continue
            total = total + row
        y[:, :] = total
#> 16:17 error csp.bad-items: a loop over `kept` has no `continue`
#>   hint: write what comes behind it into an `if`

#: a channel that is counted has no end
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, 1, N, capacity=2)

    @process
    def load() -> None:
        for m in range(M):
            rows.put(x[m, :])
        rows.close()

    @process
    def store() -> None:
        for m in range(M):
            y[m, :] = rows.get()
#> 9:9 error csp.not-checked: `rows` is not checked, and is closed
#>   3:12 declared here
#>   hint: declare it with `checked=True`, or count its items

#: nor is it looped over
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, 1, N]]) -> None:
    rows = channel(f32, 1, N, capacity=2)

    @process
    def load() -> None:
        for m in range(M):
            rows.put(x[m, :])

    @process
    def add() -> None:
        total = zeros(f32, 1, N)
        for row in rows:
            total = total + row
        y[:, :] = total
#> 13:20 error csp.not-checked: `rows` is not checked, and is looped over
#>   3:12 declared here
#>   hint: declare it with `checked=True`, or count its items

#: the end is forgotten
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, 1, N]]) -> None:
    kept = channel(f32, 1, N, capacity=2, checked=True)

    @process
    def load() -> None:
        for m in range(M):
            if holds(x[m, 0] > 0):
                kept.put(x[m, :])

    @process
    def add() -> None:
        total = zeros(f32, 1, N)
        for row in kept:
            total = total + row
        y[:, :] = total
#> 9:17 error csp.not-closed: `load` puts into `kept`, and does not close it
#>   hint: write `close()` of the channel behind the last put, outside of loops and branches

#: closed where data says so
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, 1, N]]) -> None:
    kept = channel(f32, 1, N, capacity=2, checked=True)

    @process
    def load() -> None:
        for m in range(M):
            kept.put(x[m, :])
            if holds(x[m, 0] > 0):
                kept.close()

    @process
    def add() -> None:
        total = zeros(f32, 1, N)
        for row in kept:
            total = total + row
        y[:, :] = total
#> 10:17 error csp.close-within: `kept` is closed in a loop or a branch of `load`
#>   hint: close it behind the loop or the branch

#: closed under a condition on sizes
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, 1, N]]) -> None:
    kept = channel(f32, 1, N, capacity=2, checked=True)

    @process
    def load() -> None:
        if M > 4:
            kept.close()

    @process
    def add() -> None:
        total = zeros(f32, 1, N)
        for row in kept:
            total = total + row
        y[:, :] = total
#> 8:13 error csp.close-within: `kept` is closed in a loop or a branch of `load`
#>   hint: close it behind the loop or the branch

#: a put behind the end
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, 1, N]]) -> None:
    kept = channel(f32, 1, N, capacity=2, checked=True)

    @process
    def load() -> None:
        kept.close()
        for m in range(M):
            if holds(x[m, 0] > 0):
                kept.put(x[m, :])

    @process
    def add() -> None:
        total = zeros(f32, 1, N)
        for row in kept:
            total = total + row
        y[:, :] = total
#> 10:17 error csp.behind-close: `load` goes on with `kept` behind its end
#>   7:9 closed here
#>   hint: close it behind the last put

#: closed twice
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, 1, N]]) -> None:
    lanes = channels(2, f32, 1, N, capacity=2, checked=True)

    @process
    def load() -> None:
        for m in range(M):
            lanes[0].put(x[m, :])
            lanes[1].put(x[m, :])
        for n in range(2):
            lanes[n].close()
        lanes[1].close()

    @process
    def add() -> None:
        total = zeros(f32, 1, N)
        for n in range(2):
            for row in lanes[n]:
                total = total + row
        y[:, :] = total
#> 12:9 error csp.behind-close: `load` goes on with `lanes[1]` behind its end
#>   11:13 closed here
#>   hint: close it behind the last put

#: another process closes it
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, 1, N]]) -> None:
    kept = channel(f32, 1, N, capacity=2, checked=True)

    @process
    def load() -> None:
        for m in range(M):
            kept.put(x[m, :])

    @process
    def add() -> None:
        total = zeros(f32, 1, N)
        for row in kept:
            total = total + row
        y[:, :] = total

    @process
    def end() -> None:
        kept.close()
#> 19:9 error csp.two-writers: `load` and `end` both put into `kept`
#>   8:13 `load` puts here
#>   hint: give each a channel of its own

#: two readers
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, 1, N]], z: Out[Tensor[f32, 1, N]]) -> None:
    kept = channel(f32, 1, N, capacity=2, checked=True)

    @process
    def load() -> None:
        for m in range(M):
            kept.put(x[m, :])
        kept.close()

    @process
    def add() -> None:
        total = zeros(f32, 1, N)
        for row in kept:
            total = total + row
        y[:, :] = total

    @process
    def first() -> None:
        z[:, :] = kept.get()
#> 3:12 error csp.readers: 2 processes get from `kept`, which has 1
#>   14:20 `add` gets here
#>   20:19 `first` gets here
#>   hint: write `readers=` with their number, or give each a channel of its own

#: nobody reads, nobody writes
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    lost = channel(f32, 1, N, capacity=2, checked=True)
    never = channel(f32, 1, N, capacity=2, checked=True)

    @process
    def load() -> None:
        lost.close()
        for m in range(M):
            y[m, :] = x[m, :]
        for _row in never:
            pass
#> 3:12 error csp.never-read: nobody gets from `lost`
#>   hint: get from it in a process, or take the channel out
#> 4:13 error csp.never-written: nobody puts into `never`
#>   hint: put into it in a process, or take the channel out

#: left before its end
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, 1, N]]) -> None:
    kept = channel(f32, 1, N, capacity=2, checked=True)

    @process
    def load() -> None:
        for m in range(M):
            kept.put(x[m, :])
        kept.close()

    @process
    def find() -> None:
        total = zeros(f32, 1, N)
        for row in kept:
            total = row
            if holds(row[0, 0] > 0):
                break
        y[:, :] = total
#> 17:17 error csp.left-early: this leaves `kept` before its end
#>   hint: take the rest and leave it: keep in an int whether you are done, and ask for it in an `if`

#: two that give each other items for ever
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    there = channel(f32, 1, N, capacity=2, checked=True)
    back = channel(f32, 1, N, capacity=2, checked=True)

    @process
    def begin() -> None:
        there.put(x[0, :])
        for row in back:
            there.put(row)
        there.close()

    @process
    def answer() -> None:
        for row in there:
            back.put(row)
        back.close()

    @process
    def rest() -> None:
        for m in range(M):
            y[m, :] = x[m, :]
#> 9:20 error csp.endless: `begin` and `answer` may give each other items for ever
#>   9:20 `begin` goes on while `answer` does
#>   15:20 `answer` goes on while `begin` does
#>   hint: let one of them count: get a known number of items in a `for` over a `range`

#: one that feeds itself
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    again = channel(f32, 1, N, capacity=2, checked=True)

    @process
    def begin() -> None:
        for m in range(M):
            y[m, :] = x[m, :]
        again.put(x[0, :])
        for row in again:
            again.put(row)
        again.close()
#> 10:20 error csp.feeds-itself: `begin` loops over a channel that it puts into itself
#>   hint: count what is put: get a known number of items in a `for` over a `range`

#: blocks
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    kept = channel(f32, tiles(M, 8), N, capacity=2, checked=True)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            kept.put(x[i, :])
        kept.close()

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = kept.get()
#> 3:25 error csp.checked-blocks: `kept` is checked, and carries blocks of `tiles(M, 8)`
#>   hint: give it extents that are ints or dims, one row at a time: `channel(f32, 1, N, capacity=2, checked=True)`

#: in a schedule
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, 1, N]]) -> None:
    kept = channel(f32, 1, N, capacity=2, checked=True)

    @process
    def load() -> None:
        for m in range(M):
            kept.put(x[m, :])
        kept.close()

    @process
    def add() -> None:
        total = zeros(f32, 1, N)
        for row in kept:
            total = total + row
        y[:, :] = total


@schedule(w)
def as_one(s: Schedule) -> None:
    s.chain("load", "add")
#> 20:1 error csp.checked-schedule: `as_one` schedules a pipeline with a checked channel, `kept`
#>   3:12 declared here
#>   hint: leave the schedule out, or the channel unchecked

#: a counted channel within what data decides
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    kept = channel(f32, 1, N, capacity=2, checked=True)
    rows = channel(f32, 1, N, capacity=2)

    @process
    def load() -> None:
        for m in range(M):
            kept.put(x[m, :])
        kept.close()

    @process
    def pass_on() -> None:
        for row in kept:
            rows.put(row)

    @process
    def store() -> None:
        for m in range(M):
            y[m, :] = rows.get()
#> 14:20 error csp.rate-of-data: how often this `for` uses channels is not known when compiling
#>   hint: put and get outside of it, or the same on both ways; or declare the channel `checked=True`, and close it

#: behind an `and`
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    kept = channel(f32, 1, 1, capacity=2, checked=True)

    @process
    def load() -> None:
        for m in range(M):
            kept.put(x[m, 0:1])
        kept.close()

    @process
    def store() -> None:
        for m in range(M):
            if M > 3 and holds(kept.get() > 0.0):
                y[m, :] = x[m, :]
#> 14:16 error csp.rate-of-data: how often this `and` uses channels is not known when compiling
#>   hint: put and get outside of it, or the same on both ways; or declare the channel `checked=True`, and close it

#: in the condition of a `while`
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    kept = channel(f32, 1, 1, capacity=2, checked=True)

    @process
    def load() -> None:
        for m in range(M):
            kept.put(x[m, 0:1])
        kept.close()

    @process
    def store() -> None:
        n = 0
        while n < M and holds(kept.get() > 0.0):
            n = n + 1
        for m in range(M):
            y[m, :] = x[m, :]
#> 14:15 error csp.rate-of-data: how often this `and` uses channels is not known when compiling
#>   hint: put and get outside of it, or the same on both ways; or declare the channel `checked=True`, and close it

#: iterations at the same time
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, 1, N]]) -> None:
    kept = channel(f32, 1, N, capacity=2, checked=True)

    @process
    def load() -> None:
        for m in htp.parallel(range(M)):
            if holds(x[m, 0] > 0):
                kept.put(x[m, :])
        kept.close()

    @process
    def add() -> None:
        total = zeros(f32, 1, N)
        for row in kept:
            total = total + row
        y[:, :] = total
#> 7:18 error csp.parallel: iterations of `m` run at the same time, and use a channel
#>   hint: run the loop in order, or use an array of channels and a process for each

#: a deadlock beside it
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, 1, N]]) -> None:
    kept = channel(f32, 1, N, capacity=2, checked=True)
    a = channel(f32, 1, N, capacity=1)
    b = channel(f32, 1, N, capacity=1)

    @process
    def load() -> None:
        for m in range(M):
            if holds(x[m, 0] > 0):
                kept.put(x[m, :])
            a.put(b.get())
        kept.close()

    @process
    def add() -> None:
        total = zeros(f32, 1, N)
        for m in range(M):
            b.put(a.get())
        for row in kept:
            total = total + row
        y[:, :] = total
#> 12:19 error csp.deadlock: `load` and `add` wait for each other at M = 1
#>   12:19 `load` waits to get from `b`, which is empty, in iteration 0 of `m`
#>   19:19 `add` waits to get from `a`, which is empty, in iteration 0 of `m`
#>   note: no capacity helps: each gets before it puts
#>   hint: put what the others wait for before you get what depends on it

#: an event does not end
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    done = event(checked=True)

    @process
    def load() -> None:
        for m in range(M):
            y[m, :] = x[m, :]
#> 3:18 error csp.bad-channel: `event` does not take these arguments
#>   hint: an event holds nothing: write `event()`, or `event(readers=2)`
