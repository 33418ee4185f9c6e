import htp
from htp import In, Out, f32
from htp_csp import Schedule, channel, channels, event, pipeline, process, schedule
from htp_tile import Tensor, exp, reduce_sum, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def rows(x: In[Tensor[f32, M, 4, N]], y: Out[Tensor[f32, M, 4, N]]) -> None:
    todo = channels(4, f32, 1, 1, N, capacity=1)

    @process
    def load() -> None:
        for m in range(M):
            for k in range(4):
                todo[k].put(x[m, k, :])

    @process(grid=4)
    def work(k: int) -> None:
        """One of four."""
        total = zeros(f32, 1, 1, N)
        for m in range(M):
            if k > 0:
                total = total + todo[k].get()
            else:
                total = todo[k].get()
            y[m, k, :] = total


@schedule(rows)
def w(s: Schedule) -> None:
    s.bundle("work", 2)
    s.bundle("work", 2)
# ── csp.apply ──
import htp
from htp import In, Out, f32
from htp_csp import channels, pipeline, process
from htp_tile import Tensor, exp, reduce_sum, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def w(x: In[Tensor[f32, M, 4, N]], y: Out[Tensor[f32, M, 4, N]]) -> None:
    todo = channels(4, f32, 1, 1, N, capacity=1)

    @process
    def load() -> None:
        for m in range(M):
            for k in range(4):
                todo[k].put(x[m, k, :])

    @process
    def work() -> None:
        """One of four."""
        total = zeros(f32, 1, 1, N)
        total_1 = zeros(f32, 1, 1, N)
        total_1_ = zeros(f32, 1, 1, N)
        total_1_1 = zeros(f32, 1, 1, N)
        for m in range(M):
            if 0 * 2 > 0:
                total = total + todo[0 * 2].get()
            else:
                total = todo[0 * 2].get()
            y[m, 0 * 2, :] = total
            if 0 * 2 + 1 > 0:
                total_1 = total_1 + todo[0 * 2 + 1].get()
            else:
                total_1 = todo[0 * 2 + 1].get()
            y[m, 0 * 2 + 1, :] = total_1
            if 1 * 2 > 0:
                total_1_ = total_1_ + todo[1 * 2].get()
            else:
                total_1_ = todo[1 * 2].get()
            y[m, 1 * 2, :] = total_1_
            if 1 * 2 + 1 > 0:
                total_1_1 = total_1_1 + todo[1 * 2 + 1].get()
            else:
                total_1_1 = todo[1 * 2 + 1].get()
            y[m, 1 * 2 + 1, :] = total_1_1
