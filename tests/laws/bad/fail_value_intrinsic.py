import htp
from htp import In, Out, f32
from htp_tile import exp, kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = x[:, :] * exp

# kind: a name; an intrinsic
# expect: tile.not-a-value 11
# text: `exp` is an intrinsic, not a value of the tile language
