import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> Tensor[f32, M, N]:
    y[:, :] = x[:, :]

# kind: the return type; a tensor
# expect: tile.bad-return 10
# text: a kernel returns nothing
