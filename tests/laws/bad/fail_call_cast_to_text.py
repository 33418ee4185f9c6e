import htp
from htp import In, Out, f32
from htp_tile import cast, kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = cast(x[i, :], "f32")

# kind: cast; a string for a dtype
# expect: tile.unknown-dtype 12
# text: `'f32'` is not a dtype
