import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]] | None, y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = x[:, :]

# kind: a parameter; a union with None
# expect: tile.bad-annotation 10
# text: `In[Tensor[f32, M, N]] | None` is not the type of a kernel's parameter
