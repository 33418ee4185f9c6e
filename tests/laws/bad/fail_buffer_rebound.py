import htp
from htp import In, Out, f32
from htp_tile import Tensor, buffer, kernel, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        h = buffer(f32, i, N)
        h[i, :] = x[i, :]
        h = buffer(f32, i, N)
        h[i, :] = x[i, :] * 2.0
        y[i, :] = h[i, :]

# kind: buffer; one name for two
# expect: tile.buffer-rebound 14
# text: the buffer `h` is bound more than once
