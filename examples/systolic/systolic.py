"""A matrix product by a grid of processes: each keeps a block of the result, and passes on the blocks it is given."""

import htp
from htp import In, Out, f32
from htp_csp import channels, pipeline, process
from htp_tile import Tensor, matmul, tiles, zeros

K = htp.dim("K")
P = 3
B = 8
N = P * B


@pipeline
def systolic(a: In[Tensor[f32, N, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, N, N]]) -> None:
    across = channels((P, P + 1), f32, B, tiles(K, B), capacity=1)
    down = channels((P + 1, P), f32, tiles(K, B), B, capacity=1)

    @process(grid=P)
    def left(i: int) -> None:
        for k in tiles(K, B):
            across[i, 0].put(a[B * i : B * i + B, k])

    @process(grid=P)
    def top(j: int) -> None:
        for k in tiles(K, B):
            down[0, j].put(b[k, B * j : B * j + B])

    @process(grid=(P, P))
    def cell(i: int, j: int) -> None:
        acc = zeros(f32, B, B)
        for k in tiles(K, B):
            x = across[i, j].get()
            y = down[i, j].get()
            acc = matmul(x, y, acc)
            across[i, j + 1].put(x)
            down[i + 1, j].put(y)
        c[B * i : B * i + B, B * j : B * j + B] = acc

    @process(grid=P)
    def right(i: int) -> None:
        for k in tiles(K, B):
            _ = across[i, P].get()

    @process(grid=P)
    def bottom(j: int) -> None:
        for k in tiles(K, B):
            _ = down[P, j].get()
