import htp
from htp import In, Out, f32
from htp_tile import iota, kernel, Tensor, tiles

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = x[i] + iota(f32, i, axis=0)

# kind: iota; f32
# expect: tile.wrong-dtype 11
# text: `tile.iota` takes an integer dtype, not f32
