import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, reduce_sum

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(count: int, x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = x[:, :] + reduce_sum(x[:, :], axis=(0, 2)) * count

# kind: axis; a tuple with an axis that is not there
# expect: tile.bad-axis 11
# text: `Tile[f32, 1, N]` has no axis 2
