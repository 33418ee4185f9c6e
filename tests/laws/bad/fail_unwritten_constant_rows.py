import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, 6, N]], y: Out[Tensor[f32, 6, N]]) -> None:
    for n in range(3):
        y[n, :] = x[n, :]
    for n in range(4, 6):
        y[n, :] = x[n, :]

# kind: Out; row 3 of 6
# expect: tile.unwritten-output 9
# text: `y` is an output, and is not written at [3, 0] when N = 1
