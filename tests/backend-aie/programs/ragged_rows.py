"""Rows of a length that transfers do not take, in a tree of processes and behind a grid's parts."""

import htp
from htp import In, Out, i16, i32
from htp_csp import R, S, channels, pipeline, process, shard
from htp_tile import Tensor, cast, maximum, zeros

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def ragged_rows(x: In[Tensor[i16, 4 * M, 3, N]], w: In[Tensor[i16, N]], y: Out[Tensor[i32, M, 1, N]]) -> None:
    leaves = channels(4, i32, 1, 1, N, capacity=3)
    nodes = channels((2,), i32, 1, 1, N, capacity=2)

    @process(grid=4, args=(shard(x, S(0), R, R), w))
    def leaf(g: int, x: In[Tensor[i16, M, 3, N]], w: In[Tensor[i16, N]]) -> None:
        for m in range(M):
            acc = zeros(i32, 1, 1, N)
            for r in range(3):
                acc = acc + cast(maximum(x[m, r, :], w[:]), i32)
            leaves[g].put(acc)

    @process(grid=2)
    def node(g: int) -> None:
        for m in range(M):
            nodes[g].put(leaves[2 * g].get() + leaves[2 * g + 1].get())

    @process
    def root() -> None:
        for m in range(M):
            y[m, :, :] = maximum(nodes[0].get(), nodes[1].get())
