"""Two processes meet twice, both in the same order."""

import htp
from htp import In, Out, f32
from htp_csp import channel, event, pipeline, process
from htp_tile import Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def meetings(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    begun = event()
    done = event()
    rows = channel(f32, tiles(M, 8), N, capacity=2)

    @process
    def load() -> None:
        begun.put()
        done.put()
        for i in tiles(M, 8):
            rows.put(x[i, :])

    @process
    def store() -> None:
        begun.get()
        done.get()
        for i in tiles(M, 8):
            y[i, :] = rows.get() + 1.0
