"""Run lengths are decoded: each value as often as its length says, 8 times at most, in as many places as there are."""

import htp
from htp import In, InOut, Out, f32, i32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, full, index

R = htp.dim("R")
N = htp.dim("N")


@pipeline
def run_lengths(values: In[Tensor[f32, R]], lengths: In[Tensor[i32, R]], y: InOut[Tensor[f32, N]], count: Out[Tensor[i32, 1]]) -> None:
    runs = channel(i32, 1, capacity=2)
    given = channel(f32, 1, capacity=2)
    decoded = channel(f32, 1, capacity=4, checked=True)

    @process
    def read() -> None:
        for r in range(R):
            runs.put(lengths[r])
            given.put(values[r])

    @process
    def decode() -> None:
        for _r in range(R):
            length = index(runs.get())
            value = given.get()
            for _n in range(min(length, 8)):
                decoded.put(value)
        decoded.close()

    @process
    def store() -> None:
        n = 0
        for value in decoded:
            if n < N:
                y[n] = value
            n += 1
        count[0] = full(i32, n, 1)
