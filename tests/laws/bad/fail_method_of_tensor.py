import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = x.copy()

# kind: a call; a method of a tensor
# expect: tile.unknown-attribute 11
# text: `x` has no attribute `copy`
