import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(htp.unrolled(M), 8):
        y[i, :] = x[i, :]

# kind: tiles; tiles, wrapped the wrong way around
# expect: tile.unknown-call 11
# text: `htp.unrolled` is not an intrinsic
