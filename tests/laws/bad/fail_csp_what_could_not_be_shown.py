import htp
from htp import In, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, 1, capacity=1)
    back = channel(f32, 1, capacity=1)

    @process
    def load() -> None:
        for i in range(M):
            for j in range(N):
                rows.put(zeros(f32, 1))
        for j in range(N):
            _ = back.get()

    @process
    def store() -> None:
        for j in range(N):
            for i in range(M):
                _ = rows.get()
            back.put(zeros(f32, 1))
        for i in tiles(M, 8):
            y[i, :] = x[i, :]

# kind: rates of a pipeline; what could not be shown
# expect: csp.deadlock 19
# text: `load` and `store` wait for each other at M = 2, N = 3
