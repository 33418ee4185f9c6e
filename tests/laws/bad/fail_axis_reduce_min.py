import htp
from htp import In, Out, i32
from htp_tile import kernel, reduce_min, Tensor

B = htp.dim("B")
M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[i32, B, M, N]], y: Out[Tensor[i32, B, M, 1]]) -> None:
    y[:, :, :] = reduce_min(x[:, :, :], axis=3)

# kind: reduce_min; axis 3 of three dimensions
# expect: tile.bad-axis 12
# text: `Tile[i32, B, M, N]` has no axis 3
