import htp
from htp import In, Out, f32, i32
from htp_tile import Tensor, buffer, kernel, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, N)
    for i in tiles(M, 8):
        h[i, 0] = x[i, 0]
    y[:, :] = h[:, :]

# kind: load; a buffer of which one column is stored
# expect: tile.unwritten-buffer 14
# text: `h` is read here at [0, 1], where nothing was stored before when M = 1, N = 2
