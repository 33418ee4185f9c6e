import htp
from htp import In, Out, f32
from htp_tile import kernel, reshape, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, 4]]) -> None:
    y[:, :] = reshape(x[:, :], M, 4)

# kind: reshape; another number of elements
# expect: tile.reshape-mismatch 11
# text: `Tile[f32, M, N]` has not the elements of `M, 4`, or not in that order
