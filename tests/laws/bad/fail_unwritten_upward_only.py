import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for n in range(4):
        if n < M:
            y[n, :] = x[n, :]

# kind: Out; more than a fixed number of rows
# expect: tile.unwritten-output 10
# text: `y` is an output, and is not written at [4, 0] when M = 5 and N = 1
