import htp
from htp import In, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    a = channel(f32, 1, N, capacity=1)
    b = channel(f32, 1, N, capacity=1)

    @process
    def load() -> None:
        for k in range(3):
            a.put(zeros(f32, 1, N))
        for k in range(2):
            b.put(zeros(f32, 1, N))
        a.put(zeros(f32, 1, N))

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = x[i, :]
        _ = b.get()
        _ = b.get()
        for k in range(4):
            _ = a.get()

# kind: deadlocks of a pipeline; two channels have to grow
# expect: csp.deadlock 18
# text: `load` and `store` wait for each other
