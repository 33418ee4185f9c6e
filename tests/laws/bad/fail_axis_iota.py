import htp
from htp import In, Out, i32
from htp_tile import iota, kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[i32, M, N]], y: Out[Tensor[i32, M, N]]) -> None:
    y[:, :] = x[:, :] + iota(i32, 1, N, axis=2)

# kind: iota; axis 2 of two dimensions
# expect: tile.bad-axis 11
# text: `Tile[i32, 1, N]` has no axis 2
