import htp
from htp import In, Out, f32
from htp_tile import cast, kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = cast(x[i, :], f32, 1, 2)

# kind: cast; a rounding by position
# expect: tile.too-many-arguments 12
# text: `tile.cast` takes at most 2 positional arguments, not 4
