"""Each row takes what the one before it made: they must not run side by side."""

#: M=9 N=17 K=3; M=17 N=49 K=5

import htp
from htp import In, InOut, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, matmul

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@pipeline
def rows_that_follow(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: InOut[Tensor[f32, M, N]], z: Out[Tensor[f32, 1, N]]) -> None:
    lines = channel(f32, 1, N, capacity=2)

    @process
    def work() -> None:
        for p in range(M - 1):
            y[p + 1, :] = y[p, :] * 0.5 + matmul(x[p, :], b[:, :])
        lines.put(b[0, :])

    @process
    def other() -> None:
        z[:, :] = lines.get()
