import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    if M > 4:
        pass
    elif x[:, :] > 0.0:
        pass
    y[:, :] = x[:, :]

# kind: elif; a comparison of a tile
# expect: tile.runtime-if 13
# text: `if` on a tile: `x[:, :] > 0.0` holds a value for each element
