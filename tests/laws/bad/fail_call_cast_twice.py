import htp
from htp import In, Out, f32
from htp_tile import cast, kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = cast(x[i, :], f32, dtype=f32)

# kind: cast; dtype twice
# expect: tile.repeated-argument 12
# text: `tile.cast` got the argument `dtype` twice
