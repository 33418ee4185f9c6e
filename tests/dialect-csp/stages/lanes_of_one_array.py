import htp
from htp import In, Out, f32
from htp_csp import Schedule, channels, pipeline, process, schedule
from htp_tile import Tensor

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def rows(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    lanes = channels(3, f32, 1, N, capacity=2)

    @process
    def load() -> None:
        for m in range(M):
            lanes[0].put(x[m, :])

    @process
    def double() -> None:
        for m in range(M):
            lanes[1].put(lanes[0].get() * 2.0)

    @process
    def halve() -> None:
        for m in range(M):
            lanes[2].put(lanes[1].get() * 0.5)

    @process
    def store() -> None:
        for m in range(M):
            y[m, :] = lanes[2].get()


@schedule(rows)
def w(s: Schedule) -> None:
    s.chain("double", "halve")
# ── csp.apply ──
import htp
from htp import In, Out, f32
from htp_csp import channels, pipeline, process
from htp_tile import Tensor, Tile

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    lanes = channels(3, f32, 1, N, capacity=2)

    @process
    def load() -> None:
        for m in range(M):
            lanes[0].put(x[m, :])

    @process
    def double_halve() -> None:
        for m in range(M):
            lanes_item: Tile[f32, 1, N] = lanes[0].get() * 2.0
            lanes[2].put(lanes_item * 0.5)

    @process
    def store() -> None:
        for m in range(M):
            y[m, :] = lanes[2].get()
