#: a pipeline that calls itself
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    w(x, y)
#> 3:5 error csp.recursive: `w` calls itself
#>   2:1 declared here
#>   hint: let it have the processes that it needs

#: pipelines that call each other
@pipeline
def other(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    w(x, y)


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    other(x, y)
#> 3:5 error csp.recursive: `w` calls itself
#>   7:1 declared here
#>   hint: let it have the processes that it needs

#: a channel as a parameter of what is compiled
@pipeline
def w(rows: Channel[f32], y: Out[Tensor[f32, M, N]]) -> None:
    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = rows.get()
#> 2:7 error csp.channel-parameter: `w` is given the channel `rows`, so another pipeline calls it
#>   hint: compile the pipeline that calls it: `--entry NAME`

#: a tensor of another dtype
@pipeline
def inner(x: In[Tensor[i32, M, N]]) -> None:
    @process
    def run() -> None:
        pass


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    inner(x)
#> 10:11 error csp.call-dtype: `inner` takes a tensor of i32 for `x`, and `x` is one of f32
#>   2:1 declared here
#>   hint: declare the parameter with the dtype of what it is given, or give it a tensor of its dtype

#: tensors whose dims do not fit
@pipeline
def inner(x: In[Tensor[f32, K, K]]) -> None:
    @process
    def run() -> None:
        pass


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    inner(x)
#> 10:11 error csp.call-extents: `inner` takes a tensor of (M, M) for `x`, and `x` has (M, N)
#>   2:1 declared here
#>   hint: declare the parameter with the extents of what it is given, or give it a tensor of its extents

#: too few arguments, too many, and one that is not there
@pipeline
def inner(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    @process
    def run() -> None:
        for i in tiles(M, 8):
            y[i, :] = x[i, :]


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    inner(x)
    inner(x, y, y)
    inner(x, y, z=y)
#> 11:5 error csp.call-missing: `inner` is not given its parameter `y`
#>   2:1 declared here
#>   hint: give an argument for it
#> 12:5 error csp.call-count: `inner` takes 2 arguments, 3 given
#>   2:1 declared here
#>   hint: give one argument for each parameter
#> 13:17 error csp.call-keyword: `inner` has no parameter `z`
#>   2:1 declared here
#>   hint: name one of its parameters

#: an argument by position and by name
@pipeline
def inner(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    @process
    def run() -> None:
        for i in tiles(M, 8):
            y[i, :] = x[i, :]


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    inner(x, x=y)
#> 11:14 error csp.call-twice: `inner` is given its parameter `x` twice
#>   2:1 declared here
#>   hint: give it once, by position or by name

#: what is read is written, the other way round, and one tensor twice
@pipeline
def inner(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    @process
    def run() -> None:
        for i in tiles(M, 8):
            y[i, :] += x[i, :]


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]], z: InOut[Tensor[f32, M, N]]) -> None:
    inner(z, x)
    inner(y, z)
    inner(z, z)
#> 11:14 error csp.call-writes: `inner` writes its parameter `y`, and `x` is only read
#>   2:1 declared here
#>   hint: give it a tensor that is `Out` or `InOut`
#> 12:11 error csp.call-reads: `inner` reads its parameter `x`, and `y` is only written
#>   2:1 declared here
#>   hint: give it a tensor that is `In` or `InOut`
#> 13:14 error csp.call-alias: `inner` is given `z` for `x` and for `y`, and writes one of them
#>   2:1 declared here
#>   hint: give each of the two a tensor of its own

#: a part of a tensor
@pipeline
def inner(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    @process
    def run() -> None:
        for i in tiles(M, 8):
            y[i, :] += x[i, :]


@pipeline
def w(x: In[Tensor[f32, 2, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    inner(x[0, :, :], y)
#> 11:11 error csp.call-tensor: `inner` takes a tensor for `x`, and `x[0, :, :]` is none
#>   2:1 declared here
#>   hint: give it a tensor by its name, whole

#: a channel of another dtype, an array for one, one for an array, an event for one
@pipeline
def one(rows: Channel[f32]) -> None:
    @process
    def run() -> None:
        _ = rows.get()


@pipeline
def several(rows: Channels[f32]) -> None:
    @process
    def run() -> None:
        _ = rows[0].get()


@pipeline
def meeting(done: Channel[None]) -> None:
    @process
    def run() -> None:
        done.get()


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    ints = channel(i32, 8, N, capacity=1)
    rows = channel(f32, 8, N, capacity=1)
    lanes = channels(2, f32, 8, N, capacity=1)
    done = event()
    one(ints)
    one(lanes)
    several(rows)
    one(done)
    meeting(lanes[0])
    one(x)
#> 28:9 error csp.call-channel: `one` takes a channel of f32 for `rows`, and `ints` is none
#>   2:1 declared here
#>   hint: give it a channel of its kind and dtype
#> 29:9 error csp.call-channel: `one` takes a channel of f32 for `rows`, and `lanes` is none
#>   2:1 declared here
#>   hint: give it a channel of its kind and dtype
#> 30:13 error csp.call-channel: `several` takes an array of channels of f32 for `rows`, and `rows` is none
#>   9:1 declared here
#>   hint: give it a channel of its kind and dtype
#> 31:9 error csp.call-channel: `one` takes a channel of f32 for `rows`, and `done` is none
#>   2:1 declared here
#>   hint: give it a channel of its kind and dtype
#> 32:13 error csp.call-channel: `meeting` takes an event for `done`, and `lanes[0]` is none
#>   16:1 declared here
#>   hint: give it a channel of its kind and dtype
#> 33:9 error csp.call-channel: `one` takes a channel of f32 for `rows`, and `x` is none
#>   2:1 declared here
#>   hint: give it a channel of its kind and dtype

#: in a loop that data ends
@pipeline
def inner(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    @process
    def run() -> None:
        for i in tiles(M, 8):
            y[i, :] += x[i, :]


@pipeline
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    @process
    def run() -> None:
        n = 0
        while n < 3:
            inner(x, y)
            n += 1
#> 15:13 error csp.called-in-while: `inner` is called in a loop whose trip count is not known when compiling
#>   hint: call it outside of the loop, or count the iterations: `for n in range(4)`

#: within a statement
@pipeline
def inner(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    @process
    def run() -> None:
        for i in tiles(M, 8):
            y[i, :] += x[i, :]


@pipeline
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    @process
    def run() -> None:
        done = inner(x, y)
#> 13:16 error csp.called-within: `inner` is called within another statement, and has no value
#>   hint: call it on a line of its own

#: at a position that a process computes
@pipeline
def inner(k: int, x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    @process
    def run() -> None:
        y[k, :] += x[k, :]


@pipeline
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], n: In[Tensor[i32, 1]]) -> None:
    @process
    def run() -> None:
        k = index(n[0])
        inner(k, x, y)
#> 13:15 error csp.value-of-process: the call of `inner` uses `k`, a value of the process `run`
#>   13:9 called here
#>   hint: call it in the pipeline's body, or let constants, dims and loop variables decide

#: a broadcast at each position of a grid
@pipeline
def inner(x: In[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=1, readers=2)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])

    @process(grid=2)
    def drop(k: int) -> None:
        for i in tiles(M, 8):
            _ = rows.get()


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    @process(grid=2)
    def run(k: int) -> None:
        inner(x)
#> 3:5 error csp.events-in-grid: `inner` is called in a grid, and has the event or broadcast `rows`
#>   hint: call it in the pipeline's body, or use a channel with one reader

#: a name of the module that is a parameter here
STEP = 8


@pipeline
def inner(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    @process
    def run() -> None:
        for i in tiles(M, STEP):
            y[i, :] += x[i, :]


@pipeline
def w(STEP: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    inner(STEP, y)
#> 14:5 error csp.module-name: `inner` uses `STEP` of the module, and `w` has a parameter or a channel of that name
#>   hint: rename one of them

#: two processes that store one tensor, by two calls
@pipeline
def inner(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    @process
    def run() -> None:
        for i in tiles(M, 8):
            y[i, :] += x[i, :]


@pipeline
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    inner(x, y)
    inner(x, y)
#> 6:13 error csp.two-owners: `inner_run` and `inner_2_run` both use `y`, which one of them stores
#>   6:13 `inner_run` uses it here
#>   hint: let one process store the tensor, and pass it what is to be stored, or let them meet at an event in between

#: a deadlock between two that are called
@pipeline
def give(a: Channel[f32], b: Channel[f32], x: In[Tensor[f32, M, N]]) -> None:
    @process
    def run() -> None:
        for i in tiles(M, 8):
            a.put(x[i, :])
            b.put(x[i, :])


@pipeline
def take(a: Channel[f32], b: Channel[f32], y: Out[Tensor[f32, M, N]]) -> None:
    @process
    def run() -> None:
        for i in tiles(M, 8):
            row = b.get()
            y[i, :] = row + a.get()


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    a = channel(f32, tiles(M, 8), N, capacity=0)
    b = channel(f32, tiles(M, 8), N, capacity=0)
    give(a, b, x)
    take(a, b, y)
#> 6:13 error csp.deadlock: `give_run` and `take_run` wait for each other at M = 1
#>   6:13 `give_run` waits to put into `a`, which nobody gets from yet, in iteration 0 of `i`
#>   15:19 `take_run` waits to get from `b`, which is empty, in iteration 0 of `i`
#>   note: under plain Python every order of the processes comes to this at M = 1; one of them: `give_run` puts into `a` in line 6
#>   note: to replay it: python3 -m htp_csp program.py w M=1 --order 'give_run'
#>   hint: `a` with `capacity=1` is enough

#: a channel in a process
@pipeline
def give(rows: Channel[f32], x: In[Tensor[f32, M, N]]) -> None:
    @process
    def run() -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=1)

    @process
    def load() -> None:
        give(rows, x)

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = rows.get()
#> 15:9 error csp.channels-of-process: `give` takes channels, and the process `load` calls it
#>   2:10 a channel
#>   hint: call it in the pipeline's body

#: a schedule of a pipeline in another one
@pipeline
def inner(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=1)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = rows.get()


@schedule(inner)
def one(s: Schedule) -> None:
    s.chain("load", "store")


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    one(x, y)
#> 23:5 error csp.called-schedule: `one` is a schedule, and is called
#>   hint: call `inner`, and let a schedule of the caller name its processes

#: a kernel in a process
@kernel
def twice(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :] * 2.0


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    @process
    def run() -> None:
        twice(x, y)
#> 11:9 error tile.local-call: `twice` is called from outside, not by a kernel
#>   2:1 defined here
#>   hint: write `@kernel` of htp_tile above it, and nothing else, or make it a plain function of tiles; a process may run a `@workload` of htp_wsp on tensors

#: called in a loop over a channel
@pipeline
def inner(x: In[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    @process
    def copy() -> None:
        for m in range(M):
            z[m, :] = x[m, :]


@pipeline
def w(x: In[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]], y: Out[Tensor[f32, 1, N]]) -> None:
    rows = channel(f32, 1, N, capacity=2, checked=True)

    @process
    def load() -> None:
        for m in range(M):
            rows.put(x[m, :])
        rows.close()

    @process
    def add() -> None:
        total = zeros(f32, 1, N)
        for row in rows:
            total = total + row
            inner(x, z)
        y[:, :] = total
#> 24:13 error csp.called-in-while: `inner` is called in a loop whose trip count is not known when compiling
#>   hint: call it outside of the loop, or count the iterations: `for n in range(4)`
