import htp
from htp import In, Out, f32
from htp_csp import channels, pipeline, process
from htp_tile import Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")
P = 3


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channels(P, f32, tiles(M, 8), N, capacity=2)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = rows.get()

# kind: ends of a pipeline; an array without an index
# expect: csp.no-such-channel 18
# text: there is no channel `rows`
