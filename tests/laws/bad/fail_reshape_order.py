import htp
from htp import In, Out, f32
from htp_tile import kernel, reshape, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, N, M]]) -> None:
    y[:, :] = reshape(x[:, :], N, M)

# kind: reshape; dims in another order
# expect: tile.reshape-mismatch 11
# text: `Tile[f32, M, N]` has not the elements of `N, M`, or not in that order
