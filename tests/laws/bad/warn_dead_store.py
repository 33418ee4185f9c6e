import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(n: int, x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = 0.0
    for i in tiles(M, 8):
        if n > 3:
            y[i, :] = x[i, :]
        else:
            y[i, :] = x[i, :] * 2.0


# kind: store; all of it stored over on each way
# expect: tile.dead-store 11
# text: nothing reads what is stored to `y` here
