import htp
from htp import In, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    a = channel(f32, 1, capacity=1)
    b = channel(f32, 1, capacity=1)

    @process
    def one() -> None:
        t = a.get()
        b.put(t)

    @process
    def other() -> None:
        t = b.get()
        a.put(t)
        for i in tiles(M, 8):
            y[i, :] = x[i, :]

# kind: deadlocks of a pipeline; each waits for the other
# expect: csp.deadlock 17
# text: `one` and `other` wait for each other
