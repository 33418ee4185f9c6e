import htp
from htp import In, Out, f32
from htp_tile import kernel, load, Tensor, tiles, whole

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = load(x, i + 1, whole, outside=x[i, :])

# kind: load called; a tile for outside
# expect: tile.not-literal 12
# text: `outside` of `tile.load` must be known when compiling, not `x[i, :]`
