import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(n: In[f32], x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = x[:, :]

# kind: a parameter; a direction of a dtype
# expect: tile.bad-annotation 10
# text: `In[f32]` is not the type of a kernel's parameter
