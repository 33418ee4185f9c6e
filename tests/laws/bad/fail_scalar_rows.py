import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(count: int, x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for p in range(count):
        y[p, :] = x[p, :]

# kind: an output; as many rows as an int parameter says
# expect: tile.unwritten-output 10
# text: `y` is an output, and is not written at [0, 0] when M = 1, N = 1 and count = 0
