import htp
from htp import In, Out, f32
from htp_tile import cast, kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = cast(x[i, :], to=f32)

# kind: cast; a keyword to
# expect: tile.missing-argument 12
# text: `tile.cast` needs the argument `dtype`
# expect: tile.unknown-keyword 12
# text: `tile.cast` has no parameter `to`
