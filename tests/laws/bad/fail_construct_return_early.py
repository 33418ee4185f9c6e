import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    if M > 8:
        return
    y[:, :] = x[:, :]

# kind: return in a branch; in a kernel
# expect: tile.unwritten-output 10
# text: `y` is an output, and is not written at [0, 0] when M = 9 and N = 1
