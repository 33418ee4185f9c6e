import htp
from htp import In, Out, f32
from htp_csp import Schedule, channel, pipeline, process, schedule
from htp_tile import Tensor

M = htp.dim("M")
N = htp.dim("N")


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

# kind: schedules of a pipeline; a bundle of readers
# expect: csp.both-get 27
# text: `store` and `store` cannot be one process: each gets all items of `rows`
