import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")


@kernel
def k(x: In[Tensor[f32, M, M]], y: Out[Tensor[f32, M, M]]) -> None:
    for m in range(M):
        for n in range(m):
            y[m, n] = x[m, n]

# kind: Out; one triangle
# expect: tile.unwritten-output 9
# text: `y` is an output, and is not written at [0, 0] when M = 1
