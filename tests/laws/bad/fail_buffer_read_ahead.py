import htp
from htp import In, Out, f32, i32
from htp_tile import Tensor, buffer, kernel, scatter_add, whole

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, 1, N]]) -> None:
    h = buffer(f32, 1, N)
    for t in range(M):
        scatter_add(h, x[t, :], 0, whole)
    y[:, :] = x[0, :]

# kind: scatter_add; a buffer that nothing was stored to before
# expect: tile.unwritten-buffer 13
# text: `h` is read here at [0, 0], where nothing was stored before when M = 1, N = 1
