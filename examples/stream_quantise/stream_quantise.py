"""A stream of rows through softmax, a scale for each row, and rounding to eight bits: a process for each."""

import htp
from htp import In, Out, f32, i8
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, cast, exp, reduce_max, reduce_sum, tiles

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def stream_quantise(x: In[Tensor[f32, M, N]], y: Out[Tensor[i8, M, N]], scales: Out[Tensor[f32, M, 1]]) -> None:
    powers = channel(f32, tiles(M, 8), N, capacity=2)
    rows = channel(f32, tiles(M, 8), N, capacity=2)
    bytes = channel(i8, tiles(M, 8), N, capacity=2)
    steps = channel(f32, tiles(M, 8), 1, capacity=2)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            row = x[i, :]
            powers.put(exp(row - reduce_max(row, axis=1)))

    @process
    def normalise() -> None:
        for i in tiles(M, 8):
            e = powers.get()
            rows.put(e / reduce_sum(e, axis=1))

    @process
    def quantise() -> None:
        for i in tiles(M, 8):
            row = rows.get()
            step = reduce_max(row, axis=1) / 127.0
            bytes.put(cast(row / step, i8, rounding="nearest"))
            steps.put(step)

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = bytes.get()
            scales[i, 0] = steps.get()
