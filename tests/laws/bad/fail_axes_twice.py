import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, transpose

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, 4, N]], y: Out[Tensor[f32, 4, M, N]]) -> None:
    y[:, :, :] = transpose(x[:, :, :], (1, 1, 2))


# kind: transpose; an axis twice
# expect: tile.bad-axes 11
# text: (1, 1, 2) does not name each axis of `Tile[f32, M, 4, N]` once
