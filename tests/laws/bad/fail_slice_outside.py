import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, tiles

M = htp.dim("M")


@kernel
def k(x: In[Tensor[f32, M, 64]], y: Out[Tensor[f32, M, 64]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = 0.0
        y[i, 0:48] = x[i, 32:80]

# kind: a slice; 48 from 32 on, of 64
# expect: tile.outside 12
# text: index `32:80` is outside dimension 1 at least once at every size that reaches it, as when M = 1
