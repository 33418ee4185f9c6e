import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for n in range(M):
        if n < 4:
            y[n, :] = x[n, :]
        else:
            if n > 4:
                y[n, :] = 0.0

# kind: Out; what neither branch writes
# expect: tile.unwritten-output 10
# text: `y` is an output, and is not written at [4, 0] when M = 5 and N = 1
