"""Four stages that work for a while on an item of 64 bytes."""

import htp
from htp import In, Out, u64
from htp_csp import channel, pipeline, process
from htp_tile import Tensor

CAPACITY = 64
M = htp.dim("M")


@pipeline
def stages(x: In[Tensor[u64, M, 8]], y: Out[Tensor[u64, M, 8]], rounds: int) -> None:
    one = channel(u64, 1, 8, capacity=CAPACITY)
    two = channel(u64, 1, 8, capacity=CAPACITY)
    three = channel(u64, 1, 8, capacity=CAPACITY)

    @process
    def first() -> None:
        for m in range(M):
            item = x[m, :]
            for _r in range(rounds):
                item = item * 6364136223846793005 + 1442695040888963407
            one.put(item)

    @process
    def second() -> None:
        for _m in range(M):
            item = one.get()
            for _r in range(rounds):
                item = item * 6364136223846793005 + 1442695040888963407
            two.put(item)

    @process
    def third() -> None:
        for _m in range(M):
            item = two.get()
            for _r in range(rounds):
                item = item * 6364136223846793005 + 1442695040888963407
            three.put(item)

    @process
    def fourth() -> None:
        for m in range(M):
            item = three.get()
            for _r in range(rounds):
                item = item * 6364136223846793005 + 1442695040888963407
            y[m, :] = item
