import htp
from htp import In, Out, f32
from htp_csp import Schedule, channel, channels, event, pipeline, process, schedule
from htp_tile import Tensor, exp, reduce_sum, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def rows(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    late = channel(f32, 1, N, capacity=2)
    other = channel(f32, 1, N, capacity=2)
    both = channel(f32, 1, N, capacity=2, readers=2)

    @process
    def load() -> None:
        late.put(zeros(f32, 1, N))
        for m in range(M):
            late.put(x[m, :])
            both.put(x[m, :] + 1.0)
        other.put(zeros(f32, 1, N))

    @process
    def store() -> None:
        for m in range(M):
            y[m, :] = late.get() + both.get()
        _ = late.get()
        _ = other.get()

    @process
    def copy() -> None:
        for m in range(M):
            z[m, :] = both.get()


@schedule(rows)
def w(s: Schedule) -> None:
    s.chain("load", "store")
# ── csp.apply ──
import htp
from htp import In, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, exp, reduce_sum, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    late = channel(f32, 1, N, capacity=2)
    both = channel(f32, 1, N, capacity=2, readers=2)

    @process
    def load_store() -> None:
        late.put(zeros(f32, 1, N))
        for m in range(M):
            late.put(x[m, :])
            both.put(x[m, :] + 1.0)
            y[m, :] = late.get() + both.get()
        _ = late.get()

    @process
    def copy() -> None:
        for m in range(M):
            z[m, :] = both.get()
