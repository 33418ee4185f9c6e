import htp
from htp import In, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=2)

    @process
    def alone() -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])
        for i in tiles(M, 8):
            y[i, :] = rows.get()

# kind: deadlocks of a pipeline; who waits for itself
# expect: csp.waits-for-itself 17
# text: `alone` waits for itself at M = 17
