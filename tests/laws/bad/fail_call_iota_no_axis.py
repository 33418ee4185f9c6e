import htp
from htp import In, Out, f32, i32
from htp_tile import cast, iota, kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :] + cast(iota(i32, i, N), f32)

# kind: iota; no axis
# expect: tile.missing-argument 12
# text: `tile.iota` needs the argument `axis`
