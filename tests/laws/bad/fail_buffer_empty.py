import htp
from htp import In, Out, f32
from htp_tile import Tensor, buffer, kernel, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        h = buffer(f32, i, N)
        y[i, :] = x[i, :] + h[i, :]

# kind: load; a buffer that nothing is stored to
# expect: tile.empty-buffer 13
# text: `h` is a buffer that nothing is stored to
