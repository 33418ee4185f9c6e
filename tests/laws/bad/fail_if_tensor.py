import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    if x:
        pass
    y[:, :] = x[:, :]

# kind: if; a tensor
# expect: tile.runtime-if 11
# text: `if` on a tile: `x` holds a value for each element
