import htp
from htp import In, Out, f32
from htp_csp import Schedule, channel, pipeline, process, schedule
from htp_tile import Tensor, zeros

M = htp.dim("M")
N = htp.dim("N")


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

# kind: schedules of a pipeline; all sums before the rows
# expect: csp.waits-for-itself 17
# text: `load_store` waits for itself at M = 3
