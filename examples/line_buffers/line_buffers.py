"""A video's lines, blurred and then sharpened along their columns as they come in: each process holds the last two."""

import htp
from htp import In, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def line_buffers(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    lines = channel(f32, 1, N, capacity=2)
    smooth = channel(f32, 1, N, capacity=2)
    sharp = channel(f32, 1, N, capacity=2)

    @process
    def load() -> None:
        for m in range(M):
            lines.put(x[m, :])

    @process
    def blur() -> None:
        above = lines.get()
        here = above
        for _m in range(M - 1):
            below = lines.get()
            smooth.put((above + here * 2.0 + below) * 0.25)
            above = here
            here = below
        smooth.put((above + here * 3.0) * 0.25)

    @process
    def sharpen() -> None:
        above = smooth.get()
        here = above
        for _m in range(M - 1):
            below = smooth.get()
            sharp.put(here * 3.0 - above - below)
            above = here
            here = below
        sharp.put(here * 2.0 - above)

    @process
    def store() -> None:
        for m in range(M):
            y[m, :] = sharp.get()
