"""Two rows become three: what is between them is their mean. One process gets two items for every three it puts."""

import htp
from htp import In, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def rates(x: In[Tensor[f32, M, 2, N]], y: Out[Tensor[f32, M, 3, N]]) -> None:
    twos = channel(f32, 1, 1, N, capacity=2)
    threes = channel(f32, 1, 1, N, capacity=3)

    @process
    def load() -> None:
        for m in range(M):
            for k in range(2):
                twos.put(x[m, k, :])

    @process
    def between() -> None:
        for _m in range(M):
            first = twos.get()
            second = twos.get()
            threes.put(first)
            threes.put((first + second) * 0.5)
            threes.put(second)

    @process
    def store() -> None:
        for m in range(M):
            for k in range(3):
                y[m, k, :] = threes.get()
