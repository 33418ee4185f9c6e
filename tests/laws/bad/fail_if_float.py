import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    if 0.5 < x[:, :]:
        pass
    y[:, :] = x[:, :]

# kind: if; a float is fine, a tile is not
# expect: tile.runtime-if 11
# text: `if` on a tile: `0.5 < x[:, :]` holds a value for each element
