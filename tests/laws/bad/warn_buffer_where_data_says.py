import htp
from htp import In, Out, f32, i32
from htp_tile import Tensor, buffer, index, kernel

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(p: In[Tensor[i32, M]], x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, N)
    for t in range(M):
        h[index(p[t]), :] = x[t, :]
    y[:, :] = h[:, :]

# kind: store; a buffer at rows that data says
# expect: tile.maybe-unwritten-buffer 14
# text: that all of `h` that is read here was stored before was not shown
