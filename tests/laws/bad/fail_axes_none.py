import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, reduce_max

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(count: int, x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = x[:, :] + reduce_max(x[:, :], axis=()) * count

# kind: axis; an empty tuple
# expect: tile.unsupported 11
# text: the tile language has no tuples
