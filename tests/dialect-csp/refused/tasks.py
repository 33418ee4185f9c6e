#: a schedule of a workload that runs pipelines
@pipeline
def inner(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    @process
    def run() -> None:
        for i in tiles(M, 8):
            y[i, :] = x[i, :]


@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    inner(x, y)


@wsp_schedule(w)
def s(s: Schedule) -> None:
    s.tile("i", 8)
#> 15:1 error csp.scheduled-tasks: `s` is a schedule of `w`, which runs pipelines
#>   10:1 declared here
#>   hint: put the loops into a workload of their own, with a schedule, and call that
#> 16:12 error wsp.unknown-loop: `w` has no loop `i`
#>   hint: it has no loops over `P` or `seq`

#: a tile of the task before
@pipeline
def inner(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    @process
    def run() -> None:
        for i in tiles(M, 8):
            y[i, :] = x[i, :]


@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    total = zeros(f32, 1, N)
    inner(x, y)
    for i in over(M):
        z[i, :] = y[i, :] + total
#> 14:29 error csp.task-value: `total` is a value of another task
#>   11:5 of another task
#>   hint: compute it again, or pass it on in a tensor

#: a task that ends at each place of a grid, and another behind it
@pipeline
def inner(x: In[Tensor[f32, 2, M, N]], y: InOut[Tensor[f32, 2, M, N]]) -> None:
    @process(grid=2)
    def run(k: int) -> None:
        for i in tiles(M, 8):
            y[k, i, :] = x[k, i, :]


@workload
def w(x: In[Tensor[f32, 2, M, N]], y: InOut[Tensor[f32, 2, M, N]], z: Out[Tensor[f32, 2, M, N]]) -> None:
    inner(x, y)
    for i in over(M):
        z[:, i, :] = y[:, i, :]
#> 4:5 error csp.grid-task: `inner_run` has a grid, and `task_2` waits for its end
#>   hint: let the process that stores it have a loop, and no grid

#: a pipeline of processes that hand a tensor over in a loop
@pipeline
def w(x: In[Tensor[f32, M, N]], h: InOut[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    done = event()

    @process
    def first() -> None:
        for i in tiles(M, 8):
            h[i, :] = x[i, :]
            done.put()

    @process
    def second() -> None:
        for i in tiles(M, 8):
            done.get()
            y[i, :] = h[i, :]
#> 15:23 error csp.two-owners: `first` and `second` both use `h`, which one of them stores
#>   8:13 `first` uses it here
#>   hint: let one process store the tensor, and pass it what is to be stored, or let them meet at an event in between

#: a tensor that is handed over, and used again
@pipeline
def w(x: In[Tensor[f32, M, N]], h: InOut[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    done = event()

    @process
    def first() -> None:
        for i in tiles(M, 8):
            h[i, :] = x[i, :]
        done.put()
        for i in tiles(M, 8):
            h[i, :] = x[i, :] * 2.0

    @process
    def second() -> None:
        done.get()
        for i in tiles(M, 8):
            y[i, :] = h[i, :]
#> 17:23 error csp.two-owners: `first` and `second` both use `h`, which one of them stores
#>   8:13 `first` uses it here
#>   hint: let one process store the tensor, and pass it what is to be stored, or let them meet at an event in between

#: a buffer that tasks would share
@pipeline
def one(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    @process
    def run() -> None:
        for i in tiles(M, 8):
            y[i, :] = x[i, :]


@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    t = buffer(f32, M, N)
    one(x, t)
    for i in over(M):
        y[i, :] = t[i, :]
#> 14:19 error csp.task-value: `t` is a value of another task
#>   11:5 of another task
#>   hint: tasks share parameters: let `t` be an `InOut` tensor of the workload
