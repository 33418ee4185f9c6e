import htp
from htp import In, Out, f32
from htp_tile import kernel, reduce_max, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :] - reduce_max(x[i, :])

# kind: reduce_max; no axis
# expect: tile.missing-argument 12
# text: `tile.reduce_max` needs the argument `axis`
