import htp
from htp import In, Out, f32
from htp_csp import Schedule, channel, pipeline, process, schedule
from htp_tile import Tensor, reduce_sum, tiles

M = htp.dim("M")
N = htp.dim("N")


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

# kind: schedules of a pipeline; a chain of two readers
# expect: csp.both-get 33
# text: `add` and `divide` cannot be one process: each gets all items of `rows`
