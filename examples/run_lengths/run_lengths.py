"""Run lengths are decoded: each row as often as its length says, 8 times at most, in as many places as there are."""

import htp
from htp import In, InOut, Out, f32, i32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, full, index

R = htp.dim("R")
M = htp.dim("M")
N = htp.dim("N")


@pipeline
def run_lengths(rows: In[Tensor[f32, R, N]], lengths: In[Tensor[i32, R]], y: InOut[Tensor[f32, M, N]], count: Out[Tensor[i32, 1]]) -> None:
    runs = channel(f32, 1, N, capacity=2)
    decoded = channel(f32, 1, N, capacity=4, checked=True)

    @process
    def read() -> None:
        for r in range(R):
            runs.put(rows[r, :])

    @process
    def decode() -> None:
        for r in range(R):
            row = runs.get()
            for _n in range(min(index(lengths[r]), 8)):
                decoded.put(row)
        decoded.close()

    @process
    def store() -> None:
        n = 0
        for row in decoded:
            if n < M:
                y[n, :] = row
            n += 1
        count[0] = full(i32, n, 1)
