import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for n in htp.parallel(range(M - 1)):
        y[n, :] = x[n, :]

# kind: Out, parallel; what a parallel loop leaves
# expect: tile.unwritten-output 10
# text: `y` is an output, and is not written at [0, 0] when M = 1 and N = 1
