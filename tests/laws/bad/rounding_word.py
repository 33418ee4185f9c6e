import htp
from htp import In, InOut, Out, f16, f32, f8e4m3, i32
from htp_tile import Tensor, cast, kernel, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def bad(x: In[Tensor[f32, M, N]], y: Out[Tensor[f16, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = cast(x[i, :], f16, rounding="away")

# expect: tile.bad-rounding 12
