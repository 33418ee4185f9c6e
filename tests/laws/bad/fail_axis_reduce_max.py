import htp
from htp import In, Out, f32
from htp_tile import kernel, reduce_max, Tensor

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, 1]]) -> None:
    y[:] = reduce_max(x[:], axis=1)

# kind: reduce_max; axis 1 of one dimension
# expect: tile.bad-axis 10
# text: `Tile[f32, N]` has no axis 1
