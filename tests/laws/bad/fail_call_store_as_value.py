import htp
from htp import In, Out, f32
from htp_tile import kernel, store, Tensor, tiles, whole

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = store(y, x[i, :], i, whole)

# kind: store called; as a value
# expect: tile.not-a-tile 12
# text: the argument `value` of `tile.store` is not a tile: `store(y, x[i, :], i, whole)`
