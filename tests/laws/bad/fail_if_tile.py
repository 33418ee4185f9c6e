import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    t = x[:, :]
    if t:
        pass
    y[:, :] = t

# kind: if; a tile
# expect: tile.runtime-if 12
# text: `if` on a tile: `t` holds a value for each element
