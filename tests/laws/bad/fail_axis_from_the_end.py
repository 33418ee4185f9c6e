import htp
from htp import In, Out, f32
from htp_tile import kernel, reduce_sum, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, 1]]) -> None:
    y[:, :] = reduce_sum(x[:, :], axis=-3)

# kind: reduce_sum; axis -3 of two dimensions
# expect: tile.bad-axis 11
# text: `Tile[f32, M, N]` has no axis -3
