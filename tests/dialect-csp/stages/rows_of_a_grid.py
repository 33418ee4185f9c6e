import htp
from htp import In, Out, f32
from htp_csp import Schedule, channel, channels, event, pipeline, process, schedule
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
        """One of them."""
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


@schedule(systolic)
def w(s: Schedule) -> None:
    """Each row by one process, and its ends with it."""
    s.bundle("cell", 1, 3)
    s.chain("left", "cell", "right")
# ── csp.apply ──
import htp
from htp import In, Out, f32
from htp_csp import channels, pipeline, process
from htp_tile import Tensor, matmul, tiles, zeros, Tile

K = htp.dim("K")
P = 3
B = 8
N = P * B


@pipeline
def w(a: In[Tensor[f32, N, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, N, N]]) -> None:
    down = channels((P + 1, P), f32, tiles(K, B), B, capacity=1)

    @process(grid=P)
    def left_cell_right(i: int) -> None:
        acc = zeros(f32, B, B)
        acc_0_1 = zeros(f32, B, B)
        acc_0_2 = zeros(f32, B, B)
        for k in tiles(K, B):
            across_item_2: Tile[f32, B, k] = a[B * i:B * i + B, k]
            x = across_item_2
            y = down[i, 0].get()
            acc = matmul(x, y, acc)
            across_item: Tile[f32, B, k] = x
            down[i + 1, 0].put(y)
            x_0_1 = across_item
            y_0_1 = down[i, 1].get()
            acc_0_1 = matmul(x_0_1, y_0_1, acc_0_1)
            across_item_1: Tile[f32, B, k] = x_0_1
            down[i + 1, 1].put(y_0_1)
            x_0_2 = across_item_1
            y_0_2 = down[i, 2].get()
            acc_0_2 = matmul(x_0_2, y_0_2, acc_0_2)
            down[i + 1, 2].put(y_0_2)
        c[B * i:B * i + B, B * 0:B * 0 + B] = acc
        c[B * i:B * i + B, B * 1:B * 1 + B] = acc_0_1
        c[B * i:B * i + B, B * 2:B * 2 + B] = acc_0_2

    @process(grid=P)
    def top(j: int) -> None:
        for k in tiles(K, B):
            down[0, j].put(b[k, B * j:B * j + B])

    @process(grid=P)
    def bottom(j: int) -> None:
        for k in tiles(K, B):
            _ = down[P, j].get()
