import htp
from htp import In, Out, f32, i32
from htp_tile import Tensor, buffer, kernel

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for t in range(M):
        h = buffer(f32, 1, N)
        if t % 2 == 0:
            h[:, :] = x[t, :]
        y[t, :] = h[:, :]

# kind: if; a buffer that every second iteration stores
# expect: tile.unwritten-buffer 15
# text: `h` is read here at [0, 0], where nothing was stored before when M = 2, N = 1
