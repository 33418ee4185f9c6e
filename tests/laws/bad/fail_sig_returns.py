import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> f32:
    y[:, :] = x[:, :]

# kind: the return type; a dtype
# expect: tile.bad-return 10
# text: a kernel returns nothing
