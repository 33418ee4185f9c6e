"""A 3 by 3 convolution of an image, line by line: one process weighs three lines for each of the kernel's columns, the next one adds up neighbours, which shifts as matrices bring."""

import htp
from htp import In, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, matmul

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def conv_lines(
    x: In[Tensor[f32, M, N]], west: In[Tensor[f32, N, N]], east: In[Tensor[f32, N, N]], y: Out[Tensor[f32, M, N]]
) -> None:
    lines = channel(f32, 1, N, capacity=2)
    left = channel(f32, 1, N, capacity=2)
    middle = channel(f32, 1, N, capacity=2)
    right = channel(f32, 1, N, capacity=2)

    @process
    def load() -> None:
        for m in range(M):
            lines.put(x[m, :])

    @process
    def weigh() -> None:
        above = lines.get()
        here = above
        for _m in range(M - 1):
            below = lines.get()
            left.put(above + here * 2.0 + below)
            middle.put(above * 2.0 + here * 4.0 + below * 2.0)
            right.put(above + here * 2.0 + below)
            above = here
            here = below
        left.put(above + here * 3.0)
        middle.put(above * 2.0 + here * 6.0)
        right.put(above + here * 3.0)

    @process
    def add() -> None:
        for m in range(M):
            total = middle.get()
            total = matmul(left.get(), west[:, :], total)
            total = matmul(right.get(), east[:, :], total)
            y[m, :] = total * 0.0625
