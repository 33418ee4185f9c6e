import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for n in range(0, M, 2):
        y[n, :] = x[n, :]

# kind: Out; every second row
# expect: tile.unwritten-output 10
# text: `y` is an output, and is not written at [1, 0] when M = 2 and N = 1
