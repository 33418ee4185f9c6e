"""Two processes with numbers that are handed over by value, one of which both have."""

import htp
from htp import In, Out, f32, i32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, cast

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def scaled_stages(scale: f32, bias: f32, steps: i32, x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, 1, N, capacity=2)

    @process
    def scaled() -> None:
        for m in range(M):
            rows.put(x[m, :] * scale + bias)

    @process
    def moved() -> None:
        for m in range(M):
            y[m, :] = rows.get() * scale + cast(cast(steps, i32) * 2, f32)
