import htp
from htp import In, Out, f32
from htp_tile import kernel, reduce_sum, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :] - reduce_sum(x[i, :], 1)

# kind: reduce_sum; axis by position
# expect: tile.too-many-arguments 12
# text: `tile.reduce_sum` takes at most 1 positional arguments, not 2
