import htp
from htp import In, InOut, f32
from htp_tile import Tensor, kernel, tiles

M = htp.dim("M")


@kernel
def k(x: In[Tensor[f32, M]], y: InOut[Tensor[f32, M]]) -> None:
    n = M
    for p in range(2):
        for i in tiles(n, 8):
            y[i] = x[i]
        n = n // 2

# kind: tiles; an int that changes
# expect: tile.changing-extent 12
# text: `n` is an extent here, and `n` is bound more than once
