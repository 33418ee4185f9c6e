"""A channel over blocks, of which there may be a single one that is shorter."""

import htp
from htp import In, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, exp, reduce_sum, tiles

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def short_items(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=2)

    @process
    def first() -> None:
        for i in tiles(M, 8):
            rows.put(exp(x[i, :]))

    @process
    def second() -> None:
        for i in tiles(M, 8):
            e = rows.get()
            y[i, :] = e / reduce_sum(e, axis=1)
