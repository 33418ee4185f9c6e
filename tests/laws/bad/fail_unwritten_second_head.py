import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, 2, N]], y: Out[Tensor[f32, 2, N]]) -> None:
    y[0, :] = x[0, :]

# kind: Out; the second of two heads
# expect: tile.unwritten-output 9
# text: `y` is an output, and is not written at [1, 0] when N = 1
