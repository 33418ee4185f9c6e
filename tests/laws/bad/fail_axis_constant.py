import htp
from htp import In, Out, f32
from htp_tile import kernel, reduce_max, Tensor

M = htp.dim("M")
N = htp.dim("N")

LAST = 2


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, 1]]) -> None:
    y[:, :] = reduce_max(x[:, :], axis=LAST)

# kind: reduce_max; an axis from a constant
# expect: tile.bad-axis 13
# text: `Tile[f32, M, N]` has no axis 2
