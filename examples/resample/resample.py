"""A signal at two thirds of its rate and back: differences, three items for two, two for three, each stage a process of its own rate."""

import htp
from htp import In, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, maximum

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def resample(x: In[Tensor[f32, M, 2, N]], y: Out[Tensor[f32, M, 2, N]]) -> None:
    twos = channel(f32, 1, 1, N, capacity=2)
    threes = channel(f32, 1, 1, N, capacity=3)
    again = channel(f32, 1, 1, N, capacity=2)

    @process
    def rectify() -> None:
        for m in range(M):
            for k in range(2):
                twos.put(maximum(x[m, k, :], 0.0))

    @process
    def up() -> None:
        for _m in range(M):
            first = twos.get()
            second = twos.get()
            threes.put(first)
            threes.put((first + second) * 0.5)
            threes.put(second)

    @process
    def down() -> None:
        for _m in range(M):
            a = threes.get()
            b = threes.get()
            again.put(a * 0.75 + b * 0.25)
            c = threes.get()
            again.put(b * 0.25 + c * 0.75)

    @process
    def scale() -> None:
        for m in range(M):
            for k in range(2):
                y[m, k, :] = again.get() * 0.5
