import htp
from htp import In, Out, f32
from htp_tile import kernel, load, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        t = x[i, :]
        y[i, :] = load(t, 0, 0)

# kind: load called; from a tile
# expect: tile.not-indexable 13
# text: `t` is not a tensor in memory
