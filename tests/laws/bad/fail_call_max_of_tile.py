import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = max(x[:, :], 0.0)

# kind: max; a tile with a literal
# expect: tile.builtin-on-tile 11
# text: `max` compares ints, but `x[:, :]` is a tile
