"""Blocks of the matrix units that places pass on to their neighbours, as they are."""

import htp
from htp import In, Out, bf16, f32
from htp_csp import channels, pipeline, process
from htp_tile import Tensor, matmul, tiles, zeros

K = htp.dim("K")
P = 2
B = 16
N = P * B


@pipeline
def units_passed_on(a: In[Tensor[bf16, N, K]], b: In[Tensor[bf16, K, N]], c: Out[Tensor[f32, N, N]]) -> None:
    across = channels((P, P + 1), bf16, B, tiles(K, 16), capacity=1)
    down = channels((P + 1, P), bf16, tiles(K, 16), B, capacity=1)

    @process(grid=P)
    def edges(i: int) -> None:
        for k in tiles(K, 16):
            across[i, 0].put(a[B * i : B * i + B, k])
            down[0, i].put(b[k, B * i : B * i + B])

    @process(grid=(P, P))
    def cell(i: int, j: int) -> None:
        acc = zeros(f32, B, B)
        for k in tiles(K, 16):
            x = across[i, j].get()
            y = down[i, j].get()
            acc = matmul(x, y, acc)
            across[i, j + 1].put(x)
            down[i + 1, j].put(y)
        c[B * i : B * i + B, B * j : B * j + B] = acc

    @process(grid=P)
    def ends(i: int) -> None:
        for k in tiles(K, 16):
            _ = across[i, P].get()
            _ = down[P, i].get()
