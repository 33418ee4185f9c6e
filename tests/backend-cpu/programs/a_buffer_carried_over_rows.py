"""A buffer holds what a row leaves to the next."""

#: M=9 N=17 K=3

import htp
from htp import In, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, buffer, matmul

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@pipeline
def carried(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]], z: Out[Tensor[f32, 1, N]]) -> None:
    lines = channel(f32, 1, N, capacity=2)

    @process
    def work() -> None:
        h = buffer(f32, 1, N)
        h[0, :] = 0.0
        for p in range(M):
            h[0, :] = h[0, :] * 0.5 + matmul(x[p, :], b[:, :])
            y[p, :] = h[0, :]
        lines.put(h[0, :])

    @process
    def other() -> None:
        z[:, :] = lines.get()
