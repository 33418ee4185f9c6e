import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = x[:, :] * 2j

# kind: a literal; a complex number
# expect: tile.not-a-value 11
# text: `2j` is a literal of another type, not a value of the tile language
