import htp
from htp import In, Out, f32
from htp_csp import Schedule, channels, pipeline, process, schedule
from htp_tile import Tensor

M = htp.dim("M")
N = htp.dim("N")


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

# kind: schedules of a pipeline; a bundle of one process
# expect: csp.bundle-size 35
# text: `load` has a grid of no instances, which is not bundled by 2
